#include "judge/checks/exports_detail.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "judge/majority.hpp"

namespace assay::judge {

namespace {

// Nothing where they can't be compared.
std::optional<bool> same(const Export& a, const Export& b) {
  if (a.type && b.type && *a.type != *b.type) return false;
  if (a.source && b.source && *a.source == *b.source) return true;
  if (!a.identity || !b.identity) return std::nullopt;
  return *a.identity == *b.identity;
}

}  // namespace

std::string Export::words() const { return fmt::format("{} {}", type.value.value_or("?"), source.value.value_or("?")); }

ExportGroups::ExportGroups(std::vector<Export> exports) : exports_(std::move(exports)), group_of_(exports_.size()) {
  for (std::size_t at = 0; at < exports_.size(); ++at) {
    std::vector<std::size_t> own = {at};
    // It may be the link between groups that didn't know of each other.
    std::erase_if(members_, [&](const std::vector<std::size_t>& group) {
      const bool related = std::any_of(group.begin(), group.end(), [&](std::size_t member) {
        return same(exports_[member], exports_[at]).value_or(false);
      });
      if (related) own.insert(own.begin(), group.begin(), group.end());
      return related;
    });
    members_.push_back(std::move(own));
  }
  for (std::size_t group = 0; group < members_.size(); ++group)
    for (const std::size_t member : members_[group]) group_of_[member] = group;
}

std::optional<std::size_t> ExportGroups::most(std::size_t all) const { return majority(group_of_, all); }

bool ExportGroups::apart(std::size_t group, std::size_t other) const {
  if (group == other) return false;
  const auto& others = members_[other];
  return std::any_of(members_[group].begin(), members_[group].end(), [&](std::size_t a) {
    return std::any_of(others.begin(), others.end(),
                       [&](std::size_t b) { return !same(exports_[a], exports_[b]).value_or(true); });
  });
}

bool ExportGroups::any_apart() const {
  for (std::size_t group = 0; group < size(); ++group)
    for (std::size_t other = group + 1; other < size(); ++other)
      if (apart(group, other)) return true;
  return false;
}

}  // namespace assay::judge
