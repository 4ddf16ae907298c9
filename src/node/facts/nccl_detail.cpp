#include "node/facts/nccl_detail.hpp"

#include "base/text.hpp"

namespace assay::node::nccl {

namespace {

bool ours(std::string_view name) { return text::starts_with_any(name, {"NCCL_", "RCCL_"}); }

bool is_name(std::string_view name) {
  for (const char c : name)
    if (!(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '_') return false;
  return !name.empty();
}

// The shell's word after '=': quotes taken off, a comment or a further command left out.
std::string_view word(std::string_view value) {
  if (!value.empty() && (value.front() == '"' || value.front() == '\'')) {
    const auto end = value.find(value.front(), 1);
    return value.substr(1, end == std::string_view::npos ? end : end - 1);
  }
  return value.substr(0, value.find_first_of(" \t;&|"));
}

void take_assignment(std::string_view assignment, Record& settings) {
  const auto equals = assignment.find('=');
  if (equals == std::string_view::npos) return;
  const auto name = assignment.substr(0, equals);
  if (ours(name) && is_name(name)) settings[std::string(name)] = word(assignment.substr(equals + 1));
}

}  // namespace

Record parse_conf(std::string_view text) {
  constexpr std::size_t kLongest = 1023;  // NCCL's own bound on a name and on a value
  Record settings;
  for (const std::string_view line : text::lines(text)) {
    const auto equals = line.find('=');
    if (line.starts_with('#') || equals == std::string_view::npos) continue;
    settings.emplace(line.substr(0, std::min(equals, kLongest)), line.substr(equals + 1, kLongest));
  }
  return settings;
}

Record parse_environ(std::string_view bytes) {
  Record settings;
  for (const std::string_view entry : text::split(bytes, '\0')) {
    const auto equals = entry.find('=');
    if (equals != std::string_view::npos && ours(entry))
      settings.emplace(entry.substr(0, equals), entry.substr(equals + 1));
  }
  return settings;
}

Record parse_shell(std::string_view text) {
  Record settings;
  for (std::string_view line : text::lines(text)) {
    line = text::trim(line);
    if (line.starts_with('#')) continue;
    if (line.starts_with("export ") || line.starts_with("export\t")) line = text::trim(line.substr(7));
    // Several assignments may share a line: export NCCL_ALGO=Ring NCCL_PROTO=Simple
    while (!line.empty() && ours(line)) {
      take_assignment(line, settings);
      const auto equals = line.find('=');
      if (equals == std::string_view::npos) break;
      const auto value = word(line.substr(equals + 1));
      const auto after = static_cast<std::size_t>(value.data() - line.data()) + value.size();
      const auto next = line.find_first_of(" \t", after);
      line = next == std::string_view::npos ? std::string_view() : text::trim(line.substr(next));
    }
  }
  return settings;
}

}  // namespace assay::node::nccl
