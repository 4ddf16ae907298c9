// Names as schedulers write them, many at once: n[1-4,07-09]-ib[0-1],login. A list from outside may stand for billions
// of names, so expansion is bounded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace assay::hostlist {

inline constexpr std::size_t kMostNames = 65536;

// Every name, in the order written; "" gives none. Zeros in front are kept as they are written (07 → 07, 08, …).
Result<std::vector<std::string>> expand(std::string_view list);

}  // namespace assay::hostlist
