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

// The other way, for people: the names in natural order, each once, runs of numbers folded: "n[1-3,7], login".
std::string fold(const std::vector<std::string>& names, std::string_view between = ", ");
// The order of folded names: by the first name of each, n[1-2] before n3.
bool folded_less(const std::string& a, const std::string& b);

}  // namespace assay::hostlist
