#include "judge/checks/exports_detail.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace assay::judge {

namespace {

bool same(const Export& a, const Export& b) {
  if (a.type && b.type && *a.type != *b.type) return false;
  if (a.source && b.source && *a.source == *b.source) return true;
  return a.identity && b.identity && *a.identity == *b.identity;
}

}  // namespace

std::string Export::words() const { return fmt::format("{} {}", type.value.value_or("?"), source.value.value_or("?")); }

std::vector<std::vector<std::size_t>> group_exports(const std::vector<Export>& exports) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t at = 0; at < exports.size(); ++at) {
    std::vector<std::size_t> own = {at};
    // It may be the link between groups that didn't know of each other.
    std::erase_if(groups, [&](const std::vector<std::size_t>& group) {
      const bool related = std::any_of(group.begin(), group.end(),
                                       [&](std::size_t member) { return same(exports[member], exports[at]); });
      if (related) own.insert(own.begin(), group.begin(), group.end());
      return related;
    });
    groups.push_back(std::move(own));
  }
  std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return groups;
}

}  // namespace assay::judge
