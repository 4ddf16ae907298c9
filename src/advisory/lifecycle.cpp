#include "advisory/lifecycle.hpp"

#include <algorithm>

namespace assay::advisory {

namespace {

constexpr int kSoonDays = 90;

bool is_older_than_all(const std::vector<Cycle>& cycles, std::string_view line) {
  return !cycles.empty() && std::all_of(cycles.begin(), cycles.end(), [&](const Cycle& cycle) {
    return version::compare_lines(line, cycle.line) == version::Order::less;
  });
}

bool is_listed(const std::vector<Cycle>& cycles, std::string_view line) {
  return std::any_of(cycles.begin(), cycles.end(), [&](const Cycle& cycle) {
    const bool same_count = (cycle.line.find('.') == std::string::npos) == (line.find('.') == std::string_view::npos);
    return same_count && version::compare_lines(cycle.line, line) == version::Order::equal;
  });
}

// Some products count lines by two numbers ("1.34"), some by one ("12"), and some by both: Docker's are 26.1, 27, 28.
std::string_view as_listed(const std::vector<Cycle>& cycles, std::string_view line) {
  const auto first = line.substr(0, line.find('.'));
  if (is_listed(cycles, line)) return line;
  const bool only_by_one = std::none_of(cycles.begin(), cycles.end(),
                                        [](const Cycle& cycle) { return cycle.line.find('.') != std::string::npos; });
  return only_by_one || is_listed(cycles, first) ? first : line;
}

}  // namespace

Lifecycle lifecycle_of(const std::vector<Cycle>& cycles, std::string_view line, const std::string& today) {
  Lifecycle found;
  found.line = line;
  const auto cycle = std::find_if(cycles.begin(), cycles.end(), [&](const Cycle& one) {
    return version::compare_lines(one.line, line) == version::Order::equal;
  });
  if (cycle == cycles.end()) {
    if (is_older_than_all(cycles, line)) found.status = Status::fail;
    return found;
  }
  found.end = cycle->end;
  found.latest = cycle->latest;
  const auto left = days_between(today, cycle->end);
  if (cycle->ended || (left && *left <= 0))
    found.status = Status::fail;
  else if (left)
    found.status = *left <= kSoonDays ? Status::warn : Status::pass;
  else
    found.status = Status::pass;  // listed as supported, with no end set
  return found;
}

Result<Lifecycle> lifecycle_of(const Knowledge& knowledge, const Component& component, const std::string& version,
                               const std::string& today) {
  Lifecycle none;
  none.status = Status::not_applicable;
  if (component.lines.empty()) return none;
  const auto cycles = knowledge.cycles(component.lines);
  if (!cycles) return failure(cycles.error());
  std::string_view line = version::line(component.scheme, version);
  if (line.empty()) return Lifecycle{};
  return lifecycle_of(*cycles, as_listed(*cycles, line), today);
}

}  // namespace assay::advisory
