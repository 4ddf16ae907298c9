#include "node/facts/kernel_log_lines_detail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace assay::node::kernel_log {

namespace {

// A line in a known form; `kernel` false: somebody else's message.
struct Read {
  std::string when;
  std::string_view message;
  bool kernel = true;
};

bool digit(char c) { return c >= '0' && c <= '9'; }

// Does `text` begin with this shape? '9' stands for a digit, everything else for itself.
bool shaped(std::string_view text, std::string_view shape) {
  if (text.size() < shape.size()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] == '9' ? !digit(text[i]) : text[i] != shape[i]) return false;
  return true;
}

std::string_view after_blanks(std::string_view text) {
  const auto start = text.find_first_not_of(' ');
  return start == std::string_view::npos ? std::string_view() : text.substr(start);
}

// /dev/kmsg escapes what isn't printable as \xNN.
std::string unescape(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && text.substr(i).size() >= 4 && text[i + 1] == 'x') {
      if (const auto byte = text::integer(text.substr(i + 2, 2), 16)) {
        plain += static_cast<char>(*byte);
        i += 3;
        continue;
      }
    }
    plain += text[i];
  }
  return plain;
}

// "6,1234,5678901,-;text"
std::optional<Read> read_record(std::string_view line) {
  const auto semicolon = line.find(';');
  if (semicolon == std::string_view::npos || !digit(line.front())) return std::nullopt;
  const auto fields = text::split(line.substr(0, semicolon), ',');
  if (fields.size() < 4) return std::nullopt;
  const auto priority = text::integer(fields[0]);
  const auto sequence = text::integer(fields[1]);
  const auto microseconds = text::integer(fields[2]);
  if (!priority || !sequence || !microseconds || *microseconds < 0) return std::nullopt;
  return Read{fmt::format("{}.{:06} s after boot", *microseconds / 1'000'000, *microseconds % 1'000'000),
              line.substr(semicolon + 1), *priority >> 3 == 0};
}

bool weekday(std::string_view text) {
  return text::starts_with_any(text, {"Mon ", "Tue ", "Wed ", "Thu ", "Fri ", "Sat ", "Sun "});
}

bool month(std::string_view text) {
  return text::starts_with_any(
      text, {"Jan ", "Feb ", "Mar ", "Apr ", "May ", "Jun ", "Jul ", "Aug ", "Sep ", "Oct ", "Nov ", "Dec "});
}

// "[  117.984502] text" and "[Sun Jan  5 20:25:34 2025] text"
std::optional<Read> read_bracketed(std::string_view line) {
  const auto close = line.find(']');
  if (!line.starts_with('[') || close == std::string_view::npos) return std::nullopt;
  const auto stamp = text::trim(line.substr(1, close - 1));
  const auto message = line.substr(std::min(close + 2, line.size()));
  if (stamp.find('.') != std::string_view::npos && text::decimal(stamp))
    return Read{std::string(stamp) + " s after boot", message};
  if (weekday(stamp) && stamp.size() == 24 && shaped(stamp.substr(20), "9999"))
    return Read{std::string(stamp), message};
  return std::nullopt;
}

// "host ident[pid]: text" after a time: the kernel's if ident is "kernel".
std::optional<Read> read_identified(std::string when, std::string_view rest) {
  const auto blank = rest.find(' ');
  const auto colon = rest.find(": ", blank == std::string_view::npos ? 0 : blank);
  if (blank == std::string_view::npos || colon == std::string_view::npos) return std::nullopt;
  Read read{std::move(when), rest.substr(colon + 2), rest.substr(blank + 1, colon - blank - 1) == "kernel"};
  // syslog keeps the kernel's own time in the text.
  if (const auto inner = read_bracketed(after_blanks(read.message)); read.kernel && inner)
    read.message = inner->message;
  return read;
}

// Where an ISO time at the start of the line ends; 0 if there is none.
std::size_t iso_end(std::string_view line) {
  if (!shaped(line, "9999-99-99T99:99:99")) return 0;
  std::size_t end = 19;
  if (end < line.size() && (line[end] == '.' || line[end] == ','))
    for (++end; end < line.size() && digit(line[end]);) ++end;
  if (end < line.size() && line[end] == 'Z') return end + 1;
  if (end < line.size() && (line[end] == '+' || line[end] == '-')) {
    const auto zone = line.substr(end + 1);
    return shaped(zone, "99:99") ? end + 6 : shaped(zone, "9999") ? end + 5 : 0;
  }
  return 0;
}

std::optional<Read> read_iso(std::string_view line) {
  const std::size_t end = iso_end(line);
  if (end == 0 || end >= line.size() || line[end] != ' ') return std::nullopt;
  const auto stamp = line.substr(0, end);
  // dmesg alone writes a comma before the fraction, and no host and program behind the time.
  if (stamp.find(',') != std::string_view::npos) return Read{std::string(stamp), line.substr(end + 1)};
  return read_identified(std::string(stamp), line.substr(end + 1));
}

// "Jan  1 23:30:53 host kernel: text"
std::optional<Read> read_syslog(std::string_view line) {
  if (!month(line) || line.size() < 17 || !(line[4] == ' ' || digit(line[4])) || !digit(line[5]) ||
      !shaped(line.substr(6), " 99:99:99 "))
    return std::nullopt;
  return read_identified(std::string(line.substr(0, 15)), line.substr(16));
}

// "kern  :warn  : " before a dmesg line, and "<6>": what is behind it, and whether the kernel said it.
struct Leveled {
  std::string_view rest;
  bool kernel = true;
};

Leveled strip_level(std::string_view line) {
  if (line.size() > 3 && line.front() == '<') {
    const auto close = line.find('>');
    const auto level = close == std::string_view::npos ? std::nullopt : text::integer(line.substr(1, close - 1));
    if (level && *level >= 0) return {line.substr(close + 1), *level < 8};
  }
  constexpr std::array<std::string_view, 20> kFacilities = {
      "kern",     "user", "mail",   "daemon", "auth",   "syslog", "lpr",    "news",   "uucp",   "cron",
      "authpriv", "ftp",  "local0", "local1", "local2", "local3", "local4", "local5", "local6", "local7"};
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || colon > 8) return {line};
  const auto facility = text::trim(line.substr(0, colon));
  const auto second = line.find(": ", colon + 1);
  if (second == std::string_view::npos || second > colon + 8 ||
      std::find(kFacilities.begin(), kFacilities.end(), facility) == kFacilities.end())
    return {line};
  return {line.substr(second + 2), facility == "kern"};
}

std::optional<Read> read_line(std::string_view line) {
  const Leveled leveled = strip_level(line);
  if (leveled.rest.empty()) return std::nullopt;
  for (const auto reader : {read_bracketed, read_iso, read_syslog, read_record}) {
    auto read = reader(leveled.rest);
    if (!read) continue;
    read->kernel = read->kernel && leveled.kernel;
    return read;
  }
  return std::nullopt;
}

// " SUBSYSTEM=pci" below a record of /dev/kmsg.
bool is_property(std::string_view line) {
  const auto equals = line.find('=');
  return line.front() == ' ' && equals != std::string_view::npos && equals > 1 &&
         line.substr(1, equals - 1).find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == std::string_view::npos;
}

}  // namespace

Log parse(std::string_view text) {
  Log log;
  for (const std::string_view line : text::lines(text)) {
    // Blank lines, a record's further properties and journalctl's remarks carry no message.
    if (text::trim(line).empty() || is_property(line) || line.starts_with("-- ")) continue;
    const auto read = read_line(line);
    if (!read) {
      ++log.unread;
      continue;
    }
    if (!read->kernel) continue;
    if (read->message.starts_with("Linux version ")) {
      log.lines.clear();
      log.from_boot = true;
    }
    log.lines.push_back({read->when, unescape(read->message)});
  }
  return log;
}

}  // namespace assay::node::kernel_log
