// What every face says of a rating, in one place: the rating's own struct is read, so a field that is renamed there
// doesn't go missing here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rating/rating.hpp"

namespace assay::report {

inline constexpr std::string_view kClosing = "What would close it";

// "71 to 83" of 100; "71" if both ends round to the same.
std::string to_text(const rating::Interval& score);
std::string percent(double share);  // "64 %"

// The tier's name, or that there is none.
std::string tier_words(const rating::Rating& rating);
// "; what is known allows Silver to Gold"; "" where it is one tier whatever wasn't seen.
std::string allowed_words(const rating::Rating& rating);
// "A gate failed: …", one each.
std::vector<std::string> failed_gates(const rating::Rating& rating);
// "2 gates are open: …"; "" if none is.
std::string open_gates(const rating::Rating& rating);

}  // namespace assay::report
