// The few sentences that every face says alike.
#pragma once

#include <string>
#include <vector>

#include "report/model.hpp"

namespace assay::report {

// "3 checks", "1 check".
std::string counted(std::size_t count, const std::string& one, const std::string& many);

// 2026-12-01T03:00:00Z as "2026-12-01 03:00 UTC"; anything else as it is.
std::string moment(const std::string& stamp);

// "12 s", "4 min 10 s": how long it looked, its pauses left out; empty if the run doesn't tell.
std::string duration(const Run& run);

// Gaps as people read them: hosts and readers with the same fate together, single things by why they couldn't be seen.
struct GapLine {
  Gap::Of of;
  std::string where;               // "n[2-3]", "gpu on n1", "n[1-4]"
  std::string what;                // "never answered: ssh: connect timed out"
  std::vector<std::string> names;  // of observations, all that share where and what
  bool by_nature = false;          // the system has no way to tell: the least of gaps
};
std::vector<GapLine> gap_lines(const Report& report);

// "62 things couldn't be seen: 48 hidden from us, 14 not told by this system"; empty if none.
std::string gap_summary(const Report& report);

}  // namespace assay::report
