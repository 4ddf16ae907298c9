#include "node/redact.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace assay::node {

namespace {

constexpr auto npos = std::string_view::npos;
constexpr std::string_view kMark = "[redacted]";
constexpr std::string_view kBlanks(" \t\0\r", 4);  // a NUL parts the arguments in /proc/PID/cmdline
constexpr std::array<std::string_view, 16> kSecretNames{
    "password", "passwd",  "passphrase", "secret",      "token",      "storagepass", "comppass", "apikey",
    "api_key",  "api-key", "access_key", "private_key", "credential", "authkey",     "auth_key", "auth-key"};
// What is said about a secret is none: token_file=/run/t, TokenPolicy: x, PasswordAuthentication: no.
constexpr std::array<std::string_view, 17> kHarmlessEnds{
    "policy", "file", "path",   "dir",  "mode",   "type",   "ttl",     "timeout",       "lifetime",
    "plugin", "url",  "method", "uses", "socket", ".timer", "service", "authentication"};

template <class Words, class Test>
bool any(const Words& words, Test test) {
  return std::any_of(words.begin(), words.end(), test);
}

bool names_secret(std::string_view name) {
  if (name == "authorization" || name == "proxy-authorization") return true;
  return any(kSecretNames, [&](std::string_view word) { return name.find(word) != npos; }) &&
         !any(kHarmlessEnds, [&](std::string_view end) { return name.ends_with(end); });
}

bool name_char(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.'; }
bool blank(char c) { return kBlanks.find(c) != npos; }

// The last word before `at`, quotes and blanks left out. "/etc/jwt_secret: no such file" is about a file.
std::string_view name_before(std::string_view lowered, std::size_t at) {
  const char sign = lowered[at];
  while (at > 0 && std::string_view(" \t\"'\\").find(lowered[at - 1]) != npos) --at;
  std::size_t start = at;
  while (start > 0 && name_char(lowered[start - 1])) --start;
  const bool file = sign == ':' && start > 0 && lowered[start - 1] == '/';
  return file ? std::string_view() : lowered.substr(start, at - start);
}

// Does a new `name=` begin here?
bool assigns(std::string_view lowered, std::size_t at) {
  std::size_t end = at;
  while (end < lowered.size() && name_char(lowered[end])) ++end;
  return end > at && end < lowered.size() && lowered[end] == '=';
}

// Past the quote that closes the one at `from`, which may itself be escaped: {\"token\": \"x\"}; npos if there is none.
std::size_t quote_end(std::string_view line, std::size_t from) {
  const std::size_t quote = line.find_first_not_of('\\', from);
  const std::size_t depth = quote - from;
  for (std::size_t at = line.find(line[quote], quote + 1); at != npos; at = line.find(line[quote], at + 1)) {
    std::size_t slashes = 0;
    while (line[at - 1 - slashes] == '\\') ++slashes;
    if (slashes <= depth) return at + 1;
  }
  return npos;
}

bool quoted(std::string_view line, std::size_t from) {
  const std::size_t quote = line.find_first_not_of('\\', from);
  return quote != npos && (line[quote] == '"' || line[quote] == '\'');
}

// A secret may hold blanks and signs, so it goes on to the end of the line; but not over the next name of a list, nor,
// inside a list of name=value words such as a kernel's command line, over the next word.
std::size_t value_end(std::string_view lowered, std::size_t sign, std::size_t from, bool first_on_line) {
  if (lowered.substr(from).starts_with(kMark)) return from + kMark.size();
  if (quoted(lowered, from)) {
    const std::size_t end = quote_end(lowered, from);
    return std::min(end, lowered.size());
  }
  if (lowered[from] == '{' || lowered[from] == '[') return lowered.size();
  const bool word_list = lowered[sign] == '=' && from == sign + 1 && sign > 0 && !blank(lowered[sign - 1]);
  for (std::size_t at = from; at < lowered.size(); ++at) {
    if (lowered[at] == '\0') return at;
    if (word_list && blank(lowered[at]) && (!first_on_line || assigns(lowered, at + 1))) return at;
    if (std::string_view("&,;").find(lowered[at]) != npos && assigns(lowered, at + 1)) return at;
    if (lowered[at] == '"' && lowered.find_first_not_of("\", \t}])\\", at) == npos) return at;  // it ends a JSON text
  }
  return lowered.size();
}

bool opens_block(std::string_view name, char first) { return name.ends_with("authorization") && first == '{'; }

std::string redact_assignments(std::string_view line) {
  const std::string lowered = text::lower(line);
  std::string result;
  std::size_t kept = 0;
  for (std::size_t at = line.find_first_of("=:"); at != npos && at < line.size(); at = line.find_first_of("=:", at)) {
    const std::size_t value = line.find_first_not_of(kBlanks, at + 1);
    if (value == npos) break;
    const auto name = name_before(lowered, at);
    if (!names_secret(name) || opens_block(name, line[value])) {
      ++at;
      continue;
    }
    const auto start = static_cast<std::size_t>(name.data() - lowered.data());
    const bool first = lowered.find_first_not_of(" \t\"'-#", 0) == start;
    result.append(line.substr(kept, value - kept)).append(kMark);
    kept = at = value_end(lowered, at, value, first);
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

// "--password hunter2": an option that names a secret, and the word behind it as its value.
std::string redact_options(std::string line) {
  const auto word_end = [&](std::size_t from) {
    while (from < line.size() && !blank(line[from])) ++from;
    return from;
  };
  for (std::size_t at = line.find("--"); at != npos; at = line.find("--", at + 2)) {
    if (at > 0 && !blank(line[at - 1]) && line[at - 1] != '"' && line[at - 1] != '\'') continue;
    const std::size_t end = word_end(at);
    const std::string name = text::lower(std::string_view(line).substr(at + 2, end - at - 2));
    const std::size_t value = line.find_first_not_of(kBlanks, end);
    if (!std::all_of(name.begin(), name.end(), name_char) || !names_secret(name) || value == npos ||
        line[value] == '-' || line.compare(value, kMark.size(), kMark) == 0)
      continue;
    line.replace(value, word_end(value) - value, kMark);
  }
  return line;
}

std::string redact_names(std::string_view line) { return redact_options(redact_url(redact_assignments(line))); }

// A key's body may lie between lines, or with its begin and end on one.
std::string redact_line(std::string_view line, bool& in_key) {
  std::string result;
  while (!line.empty()) {
    if (in_key) {
      result += kMark;
      const auto end = line.find("-----END");
      if (end == npos) return result;
      const auto close = line.find("-----", end + 8);
      const auto past = close == npos ? line.size() : close + 5;
      result += line.substr(end, past - end);
      line.remove_prefix(past);
      in_key = false;
      continue;
    }
    const auto begin = line.find("-----BEGIN");
    const auto close = begin == npos ? npos : line.find("-----", begin + 10);
    const auto kind = line.substr(std::min(begin, line.size()), close == npos ? npos : close - begin);
    if (begin == npos || kind.find("PRIVATE KEY") == npos) return result + redact_names(line);
    const auto past = close == npos ? line.size() : close + 5;
    result.append(redact_names(line.substr(0, begin))).append(line.substr(begin, past - begin));
    line.remove_prefix(past);
    in_key = true;
  }
  return result;
}

}  // namespace

std::string redact(std::string_view bytes) {
  std::string result;
  result.reserve(bytes.size());
  bool in_key = false;
  while (!bytes.empty()) {
    const auto end = bytes.find('\n');
    result += redact_line(bytes.substr(0, end), in_key);
    if (end == npos) break;
    result += '\n';
    bytes.remove_prefix(end + 1);
  }
  return result;
}

std::string redact_field(std::string_view name, std::string_view value) {
  return names_secret(text::lower(name)) ? std::string(kMark) : redact(value);
}

}  // namespace assay::node
