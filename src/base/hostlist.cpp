#include "base/hostlist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.hpp"

namespace assay::hostlist {

namespace {

using Names = std::vector<std::string>;

tl::unexpected<Error> refuse(std::string_view list, std::string_view came) {
  return failure({Error::Kind::usage, "a host list such as n[1-4,7],login", std::string(came),
                  "\"" + text::printable(list.substr(0, 80)) + "\"", ""});
}

// Parts at commas that are not inside brackets; nothing if the brackets don't pair.
std::optional<std::vector<std::string_view>> outer_parts(std::string_view list) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  bool inside = false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '[' || list[i] == ']') {
      if (inside == (list[i] == '[')) return std::nullopt;
      inside = !inside;
    } else if (list[i] == ',' && !inside) {
      parts.push_back(list.substr(start, i - start));
      start = i + 1;
    }
  }
  if (inside) return std::nullopt;
  parts.push_back(list.substr(start));
  return parts;
}

bool digits(std::string_view text) {
  return !text.empty() && text.size() <= 9 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "1-4" or "7" as texts; false if it isn't a range or stands for too many.
bool add_range(std::string_view range, Names& to) {
  const auto dash = range.find('-');
  const auto first = range.substr(0, dash);
  const auto last = dash == std::string_view::npos ? first : range.substr(dash + 1);
  if (!digits(first) || !digits(last)) return false;
  const auto from = *text::integer(first);
  const auto until = *text::integer(last);
  if (until < from || static_cast<std::size_t>(until - from) >= kMostNames) return false;
  for (auto number = from; number <= until; ++number) to.push_back(fmt::format("{:0{}}", number, first.size()));
  return true;
}

// One part: text and brackets in turn. False if a bracket can't be read or there are too many names.
bool expand_part(std::string_view part, Names& to) {
  Names reached{""};
  while (!part.empty()) {
    const auto open = part.find('[');
    for (std::string& name : reached) name += part.substr(0, open);
    if (open == std::string_view::npos) break;
    const auto close = part.find(']', open);
    Names choices;
    for (const auto range : text::split(part.substr(open + 1, close - open - 1), ','))
      if (!add_range(range, choices)) return false;
    if (choices.size() * reached.size() > kMostNames) return false;
    Names longer;
    for (const std::string& name : reached)
      for (const std::string& choice : choices) longer.push_back(name + choice);
    reached = std::move(longer);
    part.remove_prefix(close + 1);
  }
  if (to.size() + reached.size() > kMostNames) return false;
  std::move(reached.begin(), reached.end(), std::back_inserter(to));
  return true;
}

}  // namespace

Result<Names> expand(std::string_view list) {
  Names names;
  if (list.empty()) return names;
  const auto parts = outer_parts(list);
  if (!parts) return refuse(list, "brackets that don't pair");
  for (const std::string_view part : *parts) {
    if (part.empty()) return refuse(list, "an empty name");
    if (!expand_part(part, names)) return refuse(list, "a range that can't be read, or too many names");
  }
  return names;
}

}  // namespace assay::hostlist
