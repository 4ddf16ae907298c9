// What "most" means wherever subjects are compared with each other: more than half of all that are compared, those
// included that didn't tell their value. Two that agree among ten that are silent are no reference to fail a third by.
#pragma once

#include <map>
#include <optional>
#include <vector>

namespace assay::judge {

// The value that most of `all` have; `told` are the values of those that told one.
template <class T>
std::optional<T> majority(const std::vector<T>& told, std::size_t all) {
  std::map<T, std::size_t> counts;
  for (const T& value : told)
    if (2 * ++counts[value] > all) return value;
  return std::nullopt;
}

}  // namespace assay::judge
