// What every option of text is checked by: an empty one is mostly a shell's variable that isn't set, and would be taken
// for the default, which is another machine or another rubric than the one that was meant.
#pragma once

#include <string>

namespace assay::app {

inline std::string not_empty(const std::string& value) { return value.empty() ? "expected a value, got none" : ""; }

}  // namespace assay::app
