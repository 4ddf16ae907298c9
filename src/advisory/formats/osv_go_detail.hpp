// What is known of Go's vulnerability database beyond OSV. It numbers by modules; programs that are released under
// other numbers need care:
//  - custom_ranges (in ecosystem_specific) tell the program's own numbers. Where the module's range is open (introduced
//    0 and no end), which it is when no module version fits, they are the truth. Where both end, each has been seen too
//    wide (CVE-2024-41110: the one takes in 23.0.15, the other 26.1.5, and both are mended), so what lies in both
//    holds.
//  - Docker Engine since 29 is built from github.com/moby/moby/v2, whose 2.0.0-beta.14 is Engine 29.5.1. A record that
//    names that module tells no number of Engine's: to compare 29.5.0 with 2.0.0-beta.14 would call it mended, and the
//    older module's open range would call 29.5.1 affected. Both are undecided.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "advisory/advisory.hpp"
#include "advisory/json.hpp"

namespace assay::advisory::formats {

// The ranges to go by, of the entry's own and its custom ones. `note` is told why, where they aren't its own.
std::vector<Range> go_ranges(const std::vector<Range>& own, const std::vector<Range>& custom, std::string& note);

// Empty, or why this entry's numbers say nothing of the program's.
std::string_view go_undecided(std::string_view module, const std::vector<Range>& ranges, bool names_moby_v2);

inline constexpr std::string_view kMobyV2 = "github.com/moby/moby/v2";

}  // namespace assay::advisory::formats
