#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/hostlist.hpp"
#include "base/text.hpp"

namespace assay::hostlist {

namespace {

// A name cut around the number that counts: the last one of its first label, so n12.rack3.example counts by 12.
struct Parsed {
  std::string prefix, digits, suffix;
  std::int64_t number = 0;
};

Parsed parse(const std::string& name) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::size_t label = std::min(name.find('.'), name.size());
  std::size_t end = label;
  while (end > 0 && !is_digit(name[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_digit(name[begin - 1])) --begin;
  const auto number = text::integer(std::string_view(name).substr(begin, end - begin));
  if (!number) return {name, "", "", 0};
  return {name.substr(0, begin), name.substr(begin, end - begin), name.substr(end), *number};
}

using Numbers = std::map<std::int64_t, std::string>;  // the digits as they were written

// 1-3,7
std::string ranges(const Numbers& numbers) {
  std::string text;
  for (auto at = numbers.begin(); at != numbers.end();) {
    auto last = at;
    for (auto next = std::next(last); next != numbers.end() && next->first == last->first + 1; ++next) last = next;
    text += (text.empty() ? "" : ",") + at->second;
    if (last != at) text += "-" + last->second;
    at = std::next(last);
  }
  return text;
}

// Names that differ in their number alone. A number written with zeros in front keeps its width, so 09 and 10 belong
// together while 9 and 10 would be another group.
struct Shape {
  std::string prefix, suffix;
  std::size_t width = 0;  // 0: no zeros in front
  auto operator<=>(const Shape&) const = default;
};

std::string in_brackets(const Shape& shape, const Numbers& numbers) {
  const std::string list = ranges(numbers);
  const bool bare = numbers.size() == 1 || (shape.prefix.empty() && shape.suffix.empty());
  return bare ? shape.prefix + list + shape.suffix : fmt::format("{}[{}]{}", shape.prefix, list, shape.suffix);
}

}  // namespace

bool folded_less(const std::string& a, const std::string& b) {
  const auto without_bracket = [](std::string name) {
    std::erase(name, '[');
    return name;
  };
  return text::natural_less(without_bracket(a), without_bracket(b));
}

std::string fold(const std::vector<std::string>& names, std::string_view between) {
  std::map<Shape, Numbers> groups;
  std::set<std::string, bool (*)(const std::string&, const std::string&)> texts(folded_less);
  std::vector<Parsed> plain;
  for (const std::string& name : names) {
    Parsed parsed = parse(name);
    if (parsed.digits.empty()) {
      texts.insert(name);
    } else if (parsed.digits.size() > 1 && parsed.digits[0] == '0') {
      groups[{parsed.prefix, parsed.suffix, parsed.digits.size()}].emplace(parsed.number, parsed.digits);
    } else {
      plain.push_back(std::move(parsed));
    }
  }
  for (const Parsed& parsed : plain) {
    const auto padded = groups.find({parsed.prefix, parsed.suffix, parsed.digits.size()});
    Numbers& numbers = padded != groups.end() ? padded->second : groups[{parsed.prefix, parsed.suffix, 0}];
    numbers.emplace(parsed.number, parsed.digits);
  }
  for (const auto& [shape, numbers] : groups) texts.insert(in_brackets(shape, numbers));
  return fmt::format("{}", fmt::join(texts, between));
}

}  // namespace assay::hostlist
