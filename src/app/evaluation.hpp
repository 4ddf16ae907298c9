// The way through the house: seen, recorded, judged, rated, shown. Each arrow is one function here, and resuming is the
// same way with fewer steps left.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "app/target.hpp"
#include "catalog/checks.hpp"
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
Result<Seen> see(const EvaluateOptions& options);

// Judges what is recorded by what is known now, whatever was kept with it.
Result<std::vector<Verdict>> judge_recorded(const Store& store, const std::vector<catalog::Check>& checks);

// Judges what is recorded, keeps the verdicts, and gives them.
Result<std::vector<Verdict>> judge_run(Store& store, const std::vector<catalog::Check>& checks);

}  // namespace assay::app
