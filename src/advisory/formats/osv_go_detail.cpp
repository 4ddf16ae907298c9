#include "advisory/formats/osv_go_detail.hpp"

#include <algorithm>

#include "advisory/formats/osv_ranges_detail.hpp"

namespace assay::advisory::formats {

namespace {

bool open(const Range& range) { return range.fixed.empty() && range.last.empty(); }

bool any_open(const std::vector<Range>& ranges) { return std::any_of(ranges.begin(), ranges.end(), open); }

bool any_last(const std::vector<Range>& ranges) {
  return std::any_of(ranges.begin(), ranges.end(), [](const Range& range) { return !range.last.empty(); });
}

}  // namespace

std::vector<Range> go_ranges(const std::vector<Range>& own, const std::vector<Range>& custom, std::string& note) {
  if (custom.empty()) return own;
  if (own.empty() || any_open(own)) {
    note = "by the record's custom_ranges";
    return custom;
  }
  if (any_last(own) || any_last(custom)) return own;
  auto both = intersection(own, custom, version::Scheme::go);
  if (both.empty()) return own;
  note = "by what the record's ranges and custom_ranges share";
  return both;
}

std::string_view go_undecided(std::string_view module, const std::vector<Range>& ranges, bool names_moby_v2) {
  if (module == kMobyV2) return "versions of the module moby/v2 aren't those of Docker Engine";
  const bool older = module == "github.com/docker/docker" || module == "github.com/moby/moby";
  if (older && names_moby_v2 && any_open(ranges))
    return "Docker Engine is built from the module moby/v2 since 29, and the record doesn't tell its version";
  return {};
}

}  // namespace assay::advisory::formats
