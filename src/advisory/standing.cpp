#include "advisory/standing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.hpp"

namespace assay::advisory {

namespace {

using version::Order;
using version::Scheme;

Stand unknown(std::string reason) { return {Standing::unknown, "", std::move(reason)}; }

// `introduced` of a record: whether `version` is older. Nothing: can't be told.
std::optional<bool> is_older(Scheme scheme, std::string_view version, const std::string& than) {
  if (than.empty()) return false;
  const Order order = version::compare(scheme, version, than);
  if (order == Order::incomparable) return std::nullopt;
  return order == Order::less;
}

Stand in_range(const Range& range, Scheme scheme, std::string_view version) {
  const auto older = is_older(scheme, version, range.introduced);
  if (!older) return unknown(fmt::format("it can't be compared with {}", range.introduced));
  if (*older) return {Standing::not_affected, "", "older than " + range.introduced + ", which brought it"};
  if (range.fixed.empty() && range.last.empty()) return {Standing::affected, "", "no version without it is known"};
  const std::string& end = range.fixed.empty() ? range.last : range.fixed;
  const Order order = version::compare(scheme, version, end);
  if (order == Order::incomparable) return unknown(fmt::format("it can't be compared with {}", end));
  if (range.fixed.empty() && order != Order::greater)
    return {Standing::affected, "", fmt::format("not newer than {}, the last known to have it", end)};
  if (order == Order::less) return {Standing::affected, range.fixed, "older than " + range.fixed};
  return {Standing::fixed, range.fixed, "not older than " + end};
}

// The worst that any range says; one that can't be read doesn't hide one that is hit.
Stand by_ranges(const std::vector<Range>& ranges, Scheme scheme, std::string_view version) {
  constexpr std::array kWorstFirst = {Standing::affected, Standing::unknown, Standing::fixed, Standing::not_affected};
  std::vector<Stand> stands;
  for (const Range& range : ranges) stands.push_back(in_range(range, scheme, version));
  for (const Standing standing : kWorstFirst)  // the last: of several ends that are passed, the nearest
    for (auto stand = stands.rbegin(); stand != stands.rend(); ++stand)
      if (stand->standing == standing) return *stand;
  return unknown("its source names no versions");
}

// The version's own line is listed, with one end or several.
Stand in_own_line(const std::vector<const std::string*>& own, Scheme scheme, std::string_view version) {
  const std::string* first = own.front();
  const std::string* last = own.back();
  const Order order = version::compare(scheme, version, *last);
  if (order == Order::incomparable) return unknown(fmt::format("it can't be compared with {}", *last));
  if (order != Order::less) return {Standing::fixed, *last, "not older than " + *last};
  if (first != last && version::compare(scheme, version, *first) != Order::less)
    return unknown(fmt::format("it lies between {} and {}, which both mend it", *first, *last));
  return {Standing::affected, *first, "older than " + *first};
}

Stand by_lines(const Affected& affected, Scheme scheme, std::string_view version) {
  const auto older = is_older(scheme, version, affected.introduced);
  if (!older) return unknown(fmt::format("it can't be compared with {}", affected.introduced));
  if (*older) return {Standing::not_affected, "", "older than " + affected.introduced + ", which brought it"};
  const std::string_view line = version::line(scheme, version);
  std::vector<const std::string*> own;
  const std::string* next = nullptr;  // of the nearest newer line
  for (const std::string& fixed : affected.fixed) {
    if (!version::is_version(scheme, fixed)) return unknown(fmt::format("\"{}\" of its source is no version", fixed));
    const Order order = version::compare_lines(version::line(scheme, fixed), line);
    if (order == Order::equal) own.push_back(&fixed);
    const auto nearer = [&] {
      return next == nullptr ||
             version::compare_lines(version::line(scheme, fixed), version::line(scheme, *next)) == Order::less;
    };
    if (order == Order::greater && nearer()) next = &fixed;
  }
  std::sort(own.begin(), own.end(), [&](const std::string* a, const std::string* b) {
    return version::compare(scheme, *a, *b) == Order::less;
  });
  if (!own.empty()) return in_own_line(own, scheme, version);
  for (const std::string& spared : affected.spared)
    if (version::compare_lines(spared, line) == Order::equal)
      return {Standing::not_affected, "", fmt::format("its source looked at the line {} and doesn't count it", line)};
  if (next == nullptr) return {Standing::fixed, "", fmt::format("its line {} is newer than all that have it", line)};
  return {Standing::affected, *next, fmt::format("the line {} has no version without it; {} has", line, *next)};
}

Stand by_version(const Affected& affected, Scheme scheme, std::string_view version) {
  if (!version::is_version(scheme, version))
    return unknown(fmt::format("\"{}\" is no version as {} has them", version.substr(0, 80), version::name_of(scheme)));
  for (const std::string& one : affected.versions)
    if (version::compare(scheme, version, one) == Order::equal) return {Standing::affected, "", "named as having it"};
  if (!affected.fixed.empty()) return by_lines(affected, scheme, version);
  if (!affected.ranges.empty()) return by_ranges(affected.ranges, scheme, version);
  return affected.versions.empty() ? unknown("its source names no versions")
                                   : Stand{Standing::not_affected, "", "not among the versions that have it"};
}

// Nothing: the setting couldn't be seen.
std::optional<bool> holds(std::string_view condition, const Conditions& conditions) {
  const auto sign = condition.find('=');
  if (sign == std::string_view::npos || sign == 0) return std::nullopt;
  const bool negated = condition[sign - 1] == '!';
  const auto seen = conditions.find(condition.substr(0, sign - (negated ? 1 : 0)));
  if (seen == conditions.end()) return std::nullopt;
  const auto wanted = text::split(condition.substr(sign + 1), '|');
  const bool among = std::find(wanted.begin(), wanted.end(), seen->second) != wanted.end();
  return among != negated;
}

Stand under(const std::vector<std::string>& asked, const Conditions& conditions, Stand stand) {
  std::string unseen;
  for (const std::string& condition : asked) {
    const auto met = holds(condition, conditions);
    if (met && !*met) return {Standing::not_affected, stand.fixed, "it needs " + condition + ", which isn't so here"};
    if (!met) unseen += (unseen.empty() ? "" : ", ") + condition;
  }
  if (unseen.empty()) return stand;
  return {Standing::unknown, stand.fixed, stand.reason + ", but only with " + unseen + ", which wasn't seen", true};
}

}  // namespace

std::string_view name_of(Standing standing) {
  constexpr std::array<std::string_view, 4> kNames = {"affected", "fixed", "not_affected", "unknown"};
  return kNames[static_cast<std::size_t>(standing)];
}

Stand stand(const Affected& affected, Scheme scheme, std::string_view version, const Conditions& conditions) {
  if (affected.says == Affected::Says::not_affected)
    return {Standing::not_affected, "", "its source says that no version has it"};
  if (affected.says == Affected::Says::undecided) return unknown("its source hasn't decided yet");
  Stand found = by_version(affected, scheme, version);
  return found.standing == Standing::affected ? under(affected.conditions, conditions, std::move(found)) : found;
}

}  // namespace assay::advisory
