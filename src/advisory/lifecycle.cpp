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
  // Some products count lines by one number ("12"), some by two ("1.34").
  const bool by_one = std::any_of(cycles->begin(), cycles->end(),
                                  [](const Cycle& cycle) { return cycle.line.find('.') == std::string::npos; });
  const bool by_two = std::any_of(cycles->begin(), cycles->end(),
                                  [](const Cycle& cycle) { return cycle.line.find('.') != std::string::npos; });
  if (by_one && !by_two) line = line.substr(0, line.find('.'));
  return lifecycle_of(*cycles, line, today);
}

}  // namespace assay::advisory
