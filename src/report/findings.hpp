// Verdicts as people want to read them: one finding a check, worst first, with the nodes where the same is so on one
// line.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "report/model.hpp"

namespace assay::report {

struct Finding {
  struct Line {
    std::string where;  // "n[2-3] gpu 0-7"
    std::string why;
    std::size_t subjects = 0;
  };
  const catalog::Check* check = nullptr;
  Status status = Status::fail;
  std::vector<Line> lines;  // the most shared first
  std::size_t subjects = 0;
  std::string where;  // all of them
  std::string fix;    // the first verdict's; the check's if that says none
};

// Critical is 0, high 1, medium 2, low 3, anything else 4.
int rank_of_severity(const std::string& severity);

// Of one status; by severity, then by how much is touched, then by check.
std::vector<Finding> findings(const Report& report, Status status);

// How many verdicts say what, in the order of Status.
using Counts = std::array<std::size_t, 5>;
Counts count(const Report& report);
inline std::size_t of(const Counts& counts, Status status) { return counts[static_cast<std::size_t>(status)]; }

}  // namespace assay::report
