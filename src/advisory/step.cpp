#include "advisory/step.hpp"

#include <algorithm>

namespace assay::advisory {

namespace {

using version::Order;

bool is_less(version::Scheme scheme, std::string_view a, std::string_view b) {
  return version::compare(scheme, a, b) == Order::less;
}

std::vector<std::string> mended_versions(const std::vector<Claim>& claims, version::Scheme scheme) {
  std::vector<std::string> versions;
  const auto add = [&](const std::string& version) {
    if (version::is_version(scheme, version)) versions.push_back(version);
  };
  for (const Claim& claim : claims) {
    for (const std::string& fixed : claim.record.affected.fixed) add(fixed);
    for (const Range& range : claim.record.affected.ranges) add(range.fixed);
  }
  std::sort(versions.begin(), versions.end());
  versions.erase(std::unique(versions.begin(), versions.end()), versions.end());
  return versions;
}

// A release candidate is nowhere to go, even if it was the first without the fault.
bool is_pre_release(version::Scheme scheme, std::string_view version) {
  const auto numbers = version.substr(0, version.find_first_not_of("0123456789."));
  return version::line(scheme, version) != "" && numbers != version &&
         version::compare(scheme, version, numbers) == Order::less;
}

}  // namespace

Step step_from(const std::vector<Claim>& claims, version::Scheme scheme, std::string_view version) {
  std::vector<std::string> ahead;
  for (std::string& candidate : mended_versions(claims, scheme)) {
    const Order order = version::compare(scheme, candidate, version);
    if (order == Order::greater && !is_pre_release(scheme, candidate) && is_free(claims, candidate))
      ahead.push_back(std::move(candidate));
  }
  if (ahead.empty()) return {};
  const auto less = [&](const std::string& a, const std::string& b) { return is_less(scheme, a, b); };
  std::stable_sort(ahead.begin(), ahead.end(), less);
  const std::string_view line = version::line(scheme, version);
  const auto own = std::find_if(ahead.begin(), ahead.end(), [&](const std::string& candidate) {
    return version::compare_lines(version::line(scheme, candidate), line) == Order::equal;
  });
  return {own == ahead.end() ? ahead.front() : *own, ahead.back()};
}

}  // namespace assay::advisory
