#include "node/facts/yaml_detail.hpp"

#include <fmt/format.h>

#include <vector>

#include "base/text.hpp"

namespace assay::node::facts {

namespace {

struct Level {
  std::size_t indent;
  std::string path;
};

tl::unexpected<Absent> refuse(std::size_t number, std::string_view line, std::string_view what) {
  return unseen(Absence::malformed, fmt::format("line {}: {} (\"{}\")", number, what, text::to_utf8(line, 80)));
}

// A comment begins with # at the start or after a blank; quoted values keep theirs.
std::string_view without_comment(std::string_view value) {
  if (!value.empty() && (value.front() == '"' || value.front() == '\'')) {
    const auto end = value.find(value.front(), 1);
    if (end == std::string_view::npos) return value;
    const auto rest = text::trim(value.substr(end + 1));
    return rest.empty() || rest.front() == '#' ? value.substr(0, end + 1) : value;
  }
  if (value.starts_with('#')) return {};
  const auto at = value.find(" #");
  return text::trim(value.substr(0, at));
}

bool plain(std::string_view value) {
  if (value == "{}" || value == "[]") return true;
  if (value.front() == '"' || value.front() == '\'')
    return value.size() >= 2 && value.back() == value.front() && value.find('\\') == std::string_view::npos;
  return std::string_view("{[&*!|>%@`").find(value.front()) == std::string_view::npos;
}

std::string unquoted(std::string_view value) {
  if (value.front() == '"' || value.front() == '\'') value = value.substr(1, value.size() - 2);
  return std::string(value);
}

// The colon that parts key from value: the last character, or followed by a blank.
std::size_t colon_of(std::string_view line) {
  for (std::size_t at = line.find(':'); at != std::string_view::npos; at = line.find(':', at + 1))
    if (at + 1 == line.size() || line[at + 1] == ' ') return at;
  return std::string_view::npos;
}

}  // namespace

Seen<std::map<std::string, std::string>> parse_yaml_settings(std::string_view text) {
  std::map<std::string, std::string> settings;
  std::vector<Level> levels;
  std::size_t skipped_from = std::string_view::npos;  // indentation of a list or folded text that is stepped over
  std::size_t number = 0;
  for (const std::string_view raw : text::lines(text)) {
    ++number;
    const auto indent = raw.find_first_not_of(' ');
    if (indent == std::string_view::npos || raw[indent] == '#' || (number == 1 && raw == "---")) continue;
    if (raw[indent] == '\t') return refuse(number, raw, "a tab as indentation");
    const auto line = raw.substr(indent);
    const bool item = line == "-" || line.starts_with("- ");
    if (skipped_from != std::string_view::npos && (indent > skipped_from || (item && indent == skipped_from))) continue;
    skipped_from = std::string_view::npos;
    if (line == "---" || line == "...") return refuse(number, raw, "a second document");
    while (!levels.empty() && levels.back().indent >= indent && !(item && levels.back().indent == indent))
      levels.pop_back();
    if (item) {
      if (levels.empty()) return refuse(number, raw, "a list where settings should be");
      skipped_from = indent;
      continue;
    }
    const auto colon = colon_of(line);
    const auto key = colon == std::string_view::npos ? line : text::trim(line.substr(0, colon));
    if (colon == std::string_view::npos || key.empty() || !plain(key)) return refuse(number, raw, "not key: value");
    const std::string path = (levels.empty() ? "" : levels.back().path + ".") + unquoted(key);
    const auto value = without_comment(text::trim(line.substr(colon + 1)));
    if (value.empty()) {
      levels.push_back({indent, path});
    } else if (value.front() == '|' || value.front() == '>') {
      skipped_from = indent;
    } else if (!plain(value)) {
      return refuse(number, raw, "not a plain value");
    } else if (!settings.emplace(path, unquoted(value)).second) {
      return refuse(number, raw, "set twice");
    }
  }
  return settings;
}

}  // namespace assay::node::facts
