// What couldn't be seen, and why: hosts that never answered first, then readers that timed out or crashed, raw output
// that is lost, then single things hidden, broken or unsupported. A thing looked for and truly not there is no gap,
// unless a verdict is unknown because of it.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "evidence/store.hpp"

namespace assay::report {

struct Gap {
  enum class Of { host, step, artifact, observation };
  Of of = Of::observation;
  Subject subject;     // what all of `subjects` belong to; itself if it is one
  std::string name;    // "agent", the reader's id, "raw output", or the observation's name
  std::string reason;  // an Absence's name, or "unasked": the run ended before
  std::string detail;
  std::vector<Subject> subjects;  // where the same is so, in natural order
};

// What gaps are made from.
struct GapSources {
  const std::vector<Subject>& hosts;
  const std::vector<Store::StepEnd>& steps;
  std::span<const Observation> observations;
  const std::set<std::int64_t>& needed;  // absent observations that an unknown verdict rests on
  const std::set<std::string>& lost;     // artifacts that the run recorded and no longer holds, by SHA-256
};

std::vector<Gap> find_gaps(const GapSources& sources);

}  // namespace assay::report
