// The report on a terminal: the tier, the few things that matter first, what wasn't seen and why, where the rest is.
// Quiet when all is well. What came from nodes is escaped; colors only where asked for.
#pragma once

#include <string>

#include "report/model.hpp"

namespace assay::report {

struct TerminalStyle {
  bool color = false;
  std::size_t width = 80;  // columns; at least 40 are used
  bool all = false;        // every finding, not the first few
};

// What suits a descriptor: color if it is a terminal and NO_COLOR isn't set, its own width if it tells one.
TerminalStyle style_for(int descriptor);

// `place`: where report.html lies; empty: not said.
std::string render_terminal(const Report& report, const TerminalStyle& style, const std::string& place = {});

}  // namespace assay::report
