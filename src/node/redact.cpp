#include "node/redact.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace assay::node {

namespace {

constexpr std::string_view kMark = "[redacted]";
constexpr std::array<std::string_view, 15> kSecretNames{
    "password", "passwd",  "passphrase", "secret",      "token",      "storagepass", "comppass", "apikey",
    "api_key",  "api-key", "access_key", "private_key", "credential", "authkey",     "auth_key"};

bool names_secret(std::string_view lowered_name) {
  return std::any_of(kSecretNames.begin(), kSecretNames.end(),
                     [&](std::string_view name) { return lowered_name.find(name) != std::string_view::npos; });
}

bool name_char(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.'; }

// The last word before `at`, quotes and blanks left out.
std::string_view name_before(std::string_view lowered, std::size_t at) {
  while (at > 0 && (lowered[at - 1] == ' ' || lowered[at - 1] == '"' || lowered[at - 1] == '\'')) --at;
  std::size_t start = at;
  while (start > 0 && name_char(lowered[start - 1])) --start;
  return lowered.substr(start, at - start);
}

std::size_t value_end(std::string_view line, std::size_t from) {
  const auto quoted = line[from] == '"' || line[from] == '\'';
  const auto end = quoted ? line.find(line[from], from + 1) : line.find_first_of(" \t,;&", from);
  return end == std::string_view::npos ? line.size() : end + (quoted ? 1 : 0);
}

std::string redact_assignments(std::string_view line) {
  const std::string lowered = text::lower(line);
  std::string result;
  std::size_t kept = 0;
  for (std::size_t at = line.find_first_of("=:"); at != std::string_view::npos && at < line.size();
       at = line.find_first_of("=:", at)) {
    const std::size_t value = line.find_first_not_of(" \t", at + 1);
    if (value == std::string_view::npos) break;
    if (!names_secret(name_before(lowered, at))) {
      ++at;
      continue;
    }
    result.append(line.substr(kept, value - kept)).append(kMark);
    kept = at = value_end(line, value);
  }
  return result.append(line.substr(kept));
}

std::string redact_url(std::string line) {
  for (std::size_t at = line.find("://"); at != std::string::npos; at = line.find("://", at + 3)) {
    const auto end = line.find_first_of("/ \t\"'", at + 3);
    const auto sign = line.rfind('@', end);
    const auto colon = line.find(':', at + 3);
    if (sign == std::string::npos || sign < at || colon == std::string::npos || colon > sign) continue;
    line.replace(colon + 1, sign - colon - 1, kMark);
  }
  return line;
}

}  // namespace

std::string redact(std::string_view bytes) {
  std::string result;
  result.reserve(bytes.size());
  bool in_key = false;
  while (!bytes.empty()) {
    const auto end = bytes.find('\n');
    const auto line = bytes.substr(0, end);
    const bool begins =
        line.find("-----BEGIN") != std::string_view::npos && line.find("PRIVATE KEY") != std::string_view::npos;
    const bool ends = line.find("-----END") != std::string_view::npos;
    if (in_key && !ends) {
      result += kMark;
    } else {
      result += redact_url(redact_assignments(line));
    }
    in_key = (in_key || begins) && !ends;
    if (end == std::string_view::npos) break;
    result += '\n';
    bytes.remove_prefix(end + 1);
  }
  return result;
}

}  // namespace assay::node
