// The way through the house: seen, recorded, judged, rated, shown. The first two arrows are here (the others
// in presentation.hpp); resuming is the same way with fewer steps left (cluster/run.hpp).
#pragma once

#include <chrono>
#include <string>

#include "app/target.hpp"
#include "evidence/snapshot.hpp"
#include "evidence/store.hpp"

namespace assay::app {

struct EvaluateOptions {
  Target target;
  std::string resume;  // a run folder to go on with; empty: a new run
  std::string out;     // where the new run's folder goes; empty: assay-runs/CLUSTER/TIME
  std::chrono::seconds host_limit{120};
};

// Sees and records. The store of the run, whole or as far as it came.
struct Seen {
  Store store;
  bool stopped = false;  // somebody pressed Ctrl-C
};
Result<Seen> see(EvaluateOptions& options);

// All that a run recorded, to be judged by what is known now, whatever verdicts were kept with it.
Result<Snapshot> recorded(const Store& store);

}  // namespace assay::app
