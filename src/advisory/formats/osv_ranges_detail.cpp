#include "advisory/formats/osv_ranges_detail.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.hpp"

namespace assay::advisory::formats {

namespace {

using version::Order;
using version::Scheme;

// No record has nearly as many: Go's longest has 24.
constexpr std::size_t kEvents = 2000;
constexpr std::size_t kRanges = 1000;

struct Event {
  enum class What { fixed, introduced, last } what;  // in this order where versions are equal
  std::string_view version;                          // "0" of introduced: empty, before all
};

using Unread = Ranges::Unread;

Unread unread(std::string_view came, std::string why) { return {text::to_utf8(came, 200), std::move(why)}; }

bool before(const Event& left, const Event& right, Scheme scheme) {
  if (left.version.empty() || right.version.empty()) return left.version.empty() && !right.version.empty();
  const Order order = version::compare(scheme, left.version, right.version);
  if (order == Order::equal) return left.what < right.what;
  return order == Order::less;
}

std::optional<Unread> read_event(json::Element event, Scheme scheme, std::vector<Event>& events) {
  constexpr std::array<std::pair<std::string_view, Event::What>, 3> kWhat = {
      {{"introduced", Event::What::introduced}, {"fixed", Event::What::fixed}, {"last_affected", Event::What::last}}};
  if (!event.is_object() || event.get_object().value_unsafe().size() != 1)
    return unread("another", "an event with one of introduced, fixed, last_affected");
  for (const auto& [key, what] : kWhat) {
    if (!json::has(event, key)) continue;
    const std::string_view version = json::text(event, key);
    if (what == Event::What::introduced && version == "0") {
      events.push_back({what, ""});
      return std::nullopt;
    }
    if (!version::is_version(scheme, version))
      return unread(version.empty() ? "no text" : version, std::string("a version as \"") + std::string(key) + "\"");
    events.push_back({what, version});
    return std::nullopt;
  }
  // `limit` bounds what was looked at, and says nothing of what lies behind it.
  return unread(json::has(event, "limit") ? "limit" : "another",
                "an event with one of introduced, fixed, last_affected");
}

// Sorting needs every two to be comparable.
std::optional<Unread> incomparable(const std::vector<Event>& events, Scheme scheme) {
  for (std::size_t i = 1; i < events.size(); ++i) {
    const auto& [one, other] = std::pair(events[i - 1].version, events[i].version);
    if (!one.empty() && !other.empty() && version::compare(scheme, one, other) == Order::incomparable)
      return unread(other, "versions that can be compared with one another");
  }
  return std::nullopt;
}

std::vector<Range> intervals(const std::vector<Event>& events) {
  std::vector<Range> ranges;
  std::optional<std::string_view> open;
  for (const auto& [what, version] : events) {
    if (what == Event::What::introduced) {
      if (!open) open = version;
      continue;
    }
    if (!open) continue;
    const bool fixed = what == Event::What::fixed;
    ranges.push_back({std::string(*open), fixed ? std::string(version) : "", fixed ? "" : std::string(version)});
    open.reset();
  }
  if (open) ranges.push_back({std::string(*open), "", ""});
  return ranges;
}

void read_range(json::Element range, Scheme scheme, Ranges& found) {
  ++found.told;
  const std::string_view type = json::text(range, "type");
  if (type == "GIT") {
    ++found.git;
    return;
  }
  if (type != "SEMVER" && type != "ECOSYSTEM") {
    found.unread.push_back(unread(type, "a range of type SEMVER, ECOSYSTEM or GIT"));
    return;
  }
  const json::Array list = json::list(range, "events");
  if (list.size() == 0 || list.size() > kEvents) {
    found.unread.push_back(unread(list.size() == 0 ? "none" : "too many", "a list of events"));
    return;
  }
  std::vector<Event> events;
  for (const json::Element event : list)
    if (auto wrong = read_event(event, scheme, events)) {
      found.unread.push_back(std::move(*wrong));
      return;
    }
  auto wrong = incomparable(events, scheme);
  std::stable_sort(events.begin(), events.end(),
                   [&](const Event& left, const Event& right) { return before(left, right, scheme); });
  if (!wrong) wrong = incomparable(events, scheme);
  auto ranges = intervals(events);
  if (!wrong && ranges.empty()) wrong = unread("none", "an event \"introduced\" before the end");
  if (wrong)
    found.unread.push_back(std::move(*wrong));
  else
    found.read.insert(found.read.end(), ranges.begin(), ranges.end());
}

}  // namespace

Ranges ranges_of(json::Element list, Scheme scheme) {
  Ranges found;
  if (list.is_null()) return found;
  if (!list.is_array()) {
    found.told = 1;
    found.unread.push_back(unread("another value", "a list of ranges"));
    return found;
  }
  const json::Array ranges = list.get_array().value_unsafe();
  if (ranges.size() > kRanges) {
    found.told = 1;
    found.unread.push_back(unread("more", "at most 1000 ranges"));
    return found;
  }
  for (const json::Element range : ranges) read_range(range, scheme, found);
  return found;
}

std::vector<Range> intersection(const std::vector<Range>& left, const std::vector<Range>& right, Scheme scheme) {
  const auto later = [&](const std::string& one, const std::string& other) {
    return one.empty() || version::compare(scheme, one, other) == Order::less ? other : one;
  };
  const auto sooner = [&](const std::string& one, const std::string& other) {
    if (one.empty() || other.empty()) return one.empty() ? other : one;
    return version::compare(scheme, other, one) == Order::less ? other : one;
  };
  std::vector<Range> both;
  for (const Range& a : left)
    for (const Range& b : right) {
      const std::string from = b.introduced.empty() ? a.introduced : later(a.introduced, b.introduced);
      const std::string to = sooner(a.fixed, b.fixed);
      if (from.empty() || to.empty() || version::compare(scheme, from, to) == Order::less)
        both.push_back({from, to, ""});
    }
  return both;
}

}  // namespace assay::advisory::formats
