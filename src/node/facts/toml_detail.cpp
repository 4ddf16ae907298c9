#include "node/facts/toml_detail.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace assay::node::facts {

namespace {

tl::unexpected<Absent> refuse(std::size_t number, std::string_view line, std::string_view what) {
  return unseen(Absence::malformed, fmt::format("line {}: {} (\"{}\")", number, what, text::to_utf8(line, 80)));
}

// Without its comment; a # inside quotes stays. `open` tells whether a quote was left open.
std::string_view without_comment(std::string_view line, bool& open) {
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quote != 0) {
      if (quote == '"' && line[i] == '\\') {
        ++i;
      } else if (line[i] == quote) {
        quote = 0;
      }
    } else if (line[i] == '"' || line[i] == '\'') {
      quote = line[i];
    } else if (line[i] == '#') {
      return line.substr(0, i);
    }
  }
  open = quote != 0;
  return line;
}

bool bare_key(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
  });
}

std::string_view unquote(std::string_view text) {
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
    return text.substr(1, text.size() - 2);
  return text;
}

// "" for what isn't a value on one line.
std::string_view value_of(std::string_view text) {
  const bool quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  // Three quotes begin a text of many lines; a backslash needs more reading than paths and names do.
  if (text.starts_with("\"\"\"") || text.starts_with("'''") || text.find('\\') != std::string_view::npos) return {};
  if (quoted || text == "true" || text == "false" || text::decimal(text)) return text;
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']') return text;
  return {};
}

// A list may go on over several lines: they are joined up to the bracket that ends it.
bool unfinished_list(std::string_view line) {
  const auto equals = line.find('=');
  if (equals == std::string_view::npos) return false;
  const auto value = text::trim(line.substr(equals + 1));
  return !value.empty() && value.front() == '[' && value.back() != ']';
}

}  // namespace

Seen<Settings> parse_toml(std::string_view text) {
  Settings settings;
  std::string table;
  const auto lines = text::lines(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t number = i + 1;
    bool open = false;
    std::string line(text::trim(without_comment(lines[i], open)));
    while (!open && unfinished_list(line) && i + 1 < lines.size())
      line.append(" ").append(text::trim(without_comment(lines[++i], open)));
    if (open) return refuse(number, lines[number - 1], "a quote without its end");
    if (line.empty()) continue;
    if (line.front() == '[') {
      const std::string_view name = text::trim(std::string_view(line).substr(1, line.size() - 2));
      if (line.back() != ']' || !bare_key(name)) return refuse(number, line, "not a plain table");
      table = std::string(name) + ".";
      continue;
    }
    const auto equals = line.find('=');
    const auto key = unquote(text::trim(std::string_view(line).substr(0, equals)));
    if (equals == std::string::npos || !bare_key(key)) return refuse(number, line, "neither a table nor key = value");
    const auto value = value_of(text::trim(std::string_view(line).substr(equals + 1)));
    if (value.empty()) return refuse(number, line, "not a plain value");
    if (!settings.emplace(table + std::string(key), unquote(value)).second) return refuse(number, line, "set twice");
  }
  return settings;
}

}  // namespace assay::node::facts
