#include "report/fold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.hpp"

namespace assay::report {

namespace {

// By the first name of each: n[1-2] before n3.
struct FoldedLess {
  bool operator()(std::string a, std::string b) const {
    std::erase(a, '[');
    std::erase(b, '[');
    return text::natural_less(a, b);
  }
};

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

std::string fold_names(const std::vector<std::string>& names) {
  std::map<Shape, Numbers> groups;
  std::set<std::string, FoldedLess> texts;
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
  return fmt::format("{}", fmt::join(texts, ", "));
}

Subject host_of(const Subject& subject) {
  for (const std::string_view kind : {"node", "login"})
    if (Subject host = subject.enclosing(kind); !host.empty()) return host;
  return subject.enclosing("cluster");
}

namespace {

struct Spoken {
  std::string host;  // empty: the cluster
  std::string part;  // "gpu ", "hca mlx5_0 port ": all but the last id
  std::string id;
};

Spoken spoken(const Subject& subject) {
  const Subject host = host_of(subject);
  Spoken result;
  if (host.kind() != "cluster") result.host = host.id();
  if (subject == host) return result;
  result.id = subject.id();
  result.part = fmt::format("{} ", subject.kind());
  for (Subject at = subject.parent(); !at.empty() && at != host; at = at.parent())
    result.part = fmt::format("{} {} {}", at.kind(), at.id(), result.part);
  return result;
}

std::string joined(const std::string& host, const std::string& parts) {
  if (host.empty()) return parts.empty() ? "cluster" : parts;
  return parts.empty() ? host : fmt::format("{} {}", host, parts);
}

}  // namespace

std::string words_of(const Subject& subject) {
  const Spoken words = spoken(subject);
  return joined(words.host, words.part + words.id);
}

std::string fold_subjects(const std::vector<Subject>& subjects) {
  std::map<std::string, std::map<std::string, std::vector<std::string>>> parts;  // host → part → ids
  for (const Subject& subject : subjects) {
    const Spoken words = spoken(subject);
    auto& ids = parts[words.host][words.part];
    if (!words.part.empty()) ids.push_back(words.id);
  }
  std::map<std::string, std::vector<std::string>> hosts;  // what is said of it → hosts
  for (const auto& [host, kinds] : parts) {
    std::string said;
    for (const auto& [part, ids] : kinds)
      if (!part.empty()) said += (said.empty() ? "" : " and ") + part + fold_names(ids);
    hosts[said].push_back(host);
  }
  std::set<std::string, FoldedLess> texts;
  for (const auto& [said, names] : hosts) {
    std::vector<std::string> named;
    for (const std::string& name : names)
      if (name.empty())
        texts.insert(joined("", said));
      else
        named.push_back(name);
    if (!named.empty()) texts.insert(joined(fold_names(named), said));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace assay::report
