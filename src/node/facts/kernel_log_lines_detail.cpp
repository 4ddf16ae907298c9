#include "node/facts/kernel_log_lines_detail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "node/facts/kernel_log_forms_detail.hpp"

namespace assay::node::kernel_log {

namespace {

constexpr std::size_t kMostUnreadShown = 5;

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

// Without the colors that dmesg and journalctl paint a terminal with ("\x1b[31m"), and cut at a NUL: what is behind one
// is no text.
std::string uncolored(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size() && text[i] != '\0'; ++i) {
    if (text[i] == '\x1b' && i + 1 < text.size() && text[i + 1] == '[') {
      const auto end = text.find_first_not_of("0123456789;", i + 2);
      if (end != std::string_view::npos && text[end] == 'm') {
        i = end;
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
              std::string(line.substr(semicolon + 1)), *priority >> 3 == 0};
}

// "[ T1234]" and "[    C0]" behind the time: which thread or processor said it (CONFIG_PRINTK_CALLER). What follows.
std::string_view behind_caller(std::string_view rest) {
  const auto word = after_blanks(rest);
  const auto close = word.find(']');
  if (word.starts_with('[') && close != std::string_view::npos) {
    const auto caller = text::trim(word.substr(1, close - 1));
    if (caller.size() > 1 && (caller.front() == 'T' || caller.front() == 'C') &&
        caller.find_first_not_of("0123456789", 1) == std::string_view::npos)
      rest = word.substr(close + 1);
  }
  return rest.starts_with(' ') ? rest.substr(1) : rest;
}

// The kernel's own name for itself: "kernel", "kernel[0]", "kernel[n/a]".
bool names_kernel(std::string_view ident) {
  if (!ident.starts_with("kernel")) return false;
  const auto behind = ident.substr(6);
  return behind.empty() || (behind.front() == '[' && behind.back() == ']');
}

// "sshd[12]"
bool numbered_program(std::string_view ident) {
  const auto open = ident.find('[');
  return open != std::string_view::npos && open > 0 && ident.ends_with(']') && open + 2 < ident.size() &&
         ident.substr(open + 1, ident.size() - open - 2).find_first_not_of("0123456789") == std::string_view::npos;
}

// journalctl -o short-monotonic has host and program behind the bracket: "host kernel: text", "host sshd[12]: text".
Read without_identity(Read read) {
  const auto words = text::split(std::string_view(read.message).substr(0, 200), ' ');
  if (words.size() < 2 || words[0].empty() || words[0].ends_with(':') || !words[1].ends_with(':')) return read;
  const auto ident = words[1].substr(0, words[1].size() - 1);
  const bool kernel = names_kernel(ident);
  // Not "{1}[Hardware Error]:", which the kernel says itself.
  if (!kernel && !numbered_program(ident)) return read;
  const std::size_t start = words[0].size() + words[1].size() + 2;
  return {std::move(read.when), read.message.substr(std::min(start, read.message.size())), kernel, false};
}

// What a bracket holds, as a time; empty if it is none. "117.984502", "Sun Jan  5 20:25:34 2025" (dmesg -T), each with
// " <    0.000012>" behind it (dmesg -d), "Jan 5 20:25" and "Jan15 20:25" (dmesg -H).
std::string bracketed_time(std::string_view stamp) {
  stamp = text::trim(stamp.substr(0, stamp.find('<')));
  if (stamp.find('.') != std::string_view::npos && text::decimal(stamp)) return std::string(stamp) + " s after boot";
  if (begins_with_weekday(stamp) && stamp.size() == 24 && shaped(stamp.substr(20), "9999")) return std::string(stamp);
  if (begins_with_month(stamp) && stamp.size() == 11 &&
      (shaped(stamp.substr(3), " 9 99:99") || shaped(stamp.substr(3), "99 99:99")))
    return fmt::format("{} {}", stamp.substr(0, 3), stamp.substr(3));
  return {};
}

// "[  117.984502] text" and the like.
std::optional<Read> read_bracketed(std::string_view line) {
  const auto close = line.find(']');
  if (!line.starts_with('[') || close == std::string_view::npos) return std::nullopt;
  const auto stamp = text::trim(line.substr(1, close - 1));
  const std::string message(behind_caller(line.substr(close + 1)));
  // dmesg -H: so long after the line before.
  if (stamp.starts_with('+') && text::decimal(stamp.substr(1))) return Read{"", message, true, true};
  std::string when = bracketed_time(stamp);
  if (when.empty()) return std::nullopt;
  return without_identity({std::move(when), message});
}

constexpr std::array<std::string_view, 20> kFacilities = {
    "kern",     "user", "mail",   "daemon", "auth",   "syslog", "lpr",    "news",   "uucp",   "cron",
    "authpriv", "ftp",  "local0", "local1", "local2", "local3", "local4", "local5", "local6", "local7"};

bool is_facility(std::string_view word) {
  return std::find(kFacilities.begin(), kFacilities.end(), word) != kFacilities.end();
}

// "host ident[pid]: text" after a time: the kernel's if ident is "kernel". A busybox syslogd writes "kern.warn" before
// it; some write no blank behind the colon.
std::optional<Read> read_identified(std::string when, std::string_view rest) {
  const auto blank = rest.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  rest = after_blanks(rest.substr(blank));
  bool kernel_facility = true;
  if (const auto word = rest.substr(0, rest.find(' ')); word.find(':') == std::string_view::npos) {
    const auto dot = word.find('.');
    if (dot != std::string_view::npos && is_facility(word.substr(0, dot))) {
      kernel_facility = word.substr(0, dot) == "kern";
      rest = after_blanks(rest.substr(word.size()));
    }
  }
  const auto colon = rest.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto behind = rest.substr(colon + 1);
  Read read{std::move(when), std::string(behind.starts_with(' ') ? behind.substr(1) : behind),
            kernel_facility && names_kernel(rest.substr(0, colon))};
  // syslog keeps the kernel's own time in the text.
  if (auto inner = read_bracketed(after_blanks(behind)); read.kernel && inner) read.message = std::move(inner->message);
  return read;
}

std::optional<Read> read_iso(std::string_view line) {
  const std::size_t end = iso_end(line);
  if (end == 0 || end >= line.size() || line[end] != ' ') return std::nullopt;
  const auto stamp = line.substr(0, end);
  // dmesg alone writes a comma before the fraction, and no host and program behind the time.
  if (stamp.find(',') != std::string_view::npos)
    return Read{std::string(stamp), std::string(behind_caller(line.substr(end)))};
  return read_identified(std::string(stamp), line.substr(end + 1));
}

// "Jan  1 23:30:53 host kernel: text", the time with a fraction or without.
std::optional<Read> read_syslog(std::string_view line) {
  if (!begins_with_month(line) || line.size() < 17 || line[3] != ' ' || !(line[4] == ' ' || digit(line[4])) ||
      !digit(line[5]) || !shaped(line.substr(6), " 99:99:99"))
    return std::nullopt;
  const std::size_t end = behind_fraction(line, 15);
  if (end >= line.size() || line[end] != ' ') return std::nullopt;
  return read_identified(std::string(line.substr(0, end)), line.substr(end + 1));
}

// "Thu 2025-01-02 15:20:12 CST host kernel: text"
std::optional<Read> read_full(std::string_view line) {
  if (!begins_with_weekday(line) || !shaped(line.substr(4), "9999-99-99 99:99:99")) return std::nullopt;
  const std::size_t end = behind_fraction(line, 23);
  const auto zone = line.find(' ', std::min(end + 1, line.size()));
  if (end >= line.size() || line[end] != ' ' || zone == std::string_view::npos) return std::nullopt;
  return read_identified(std::string(line.substr(4, zone - 4)), line.substr(zone + 1));
}

// "1735689053.123456 host kernel: text"
std::optional<Read> read_unix(std::string_view line) {
  const auto blank = line.find(' ');
  const auto dot = line.find('.');
  if (blank == std::string_view::npos || dot < 9 || dot + 7 != blank || !text::decimal(line.substr(0, blank)))
    return std::nullopt;
  return read_identified(fmt::format("{} s after 1970", line.substr(0, blank)), line.substr(blank + 1));
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
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || colon > 8) return {line};
  const auto facility = text::trim(line.substr(0, colon));
  const auto second = line.find(": ", colon + 1);
  if (second == std::string_view::npos || second > colon + 8 || !is_facility(facility)) return {line};
  return {line.substr(second + 2), facility == "kern"};
}

std::optional<Read> read_line(std::string_view line) {
  const Leveled leveled = strip_level(line);
  if (leveled.rest.empty()) return std::nullopt;
  for (const auto reader : {read_bracketed, read_iso, read_syslog, read_full, read_unix, read_journal, read_record}) {
    auto read = reader(leveled.rest);
    if (!read) continue;
    read->kernel = read->kernel && leveled.kernel;
    return read;
  }
  return std::nullopt;
}

// A kernel that tells no times (CONFIG_PRINTK_TIME), or a form that isn't known here: what can't be anything else isn't
// lost with its line.
std::optional<Read> read_by_mark(std::string_view line) {
  for (const std::string_view mark : {"NVRM: Xid (", "nvidia-nvswitch"})
    if (const auto at = line.find(mark); at != std::string_view::npos)
      return Read{"", std::string(line.substr(at)), true, true};
  return std::nullopt;
}

// The first thing that a kernel says when it starts: "Linux version 6.1.0-18-amd64 (…) … #1 SMP …", at 0 seconds where
// it tells times since its start. Anybody may write the two words into the log later.
bool is_boot(const Read& read) {
  constexpr std::string_view kBanner = "Linux version ";
  if (!read.message.starts_with(kBanner) || read.message.size() <= kBanner.size() ||
      !digit(read.message[kBanner.size()]))
    return false;
  return !read.when.ends_with(" s after boot") || read.when.starts_with("0.");
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
  std::string before;  // the last time that stood by itself
  const auto lines = text::lines(text);
  for (std::size_t at = 0; at < lines.size(); ++at) {
    const std::string_view line = lines[at];
    // Blank lines, a record's further properties and journalctl's remarks carry no message.
    if (text::trim(line).empty() || is_property(line) || line.starts_with("-- ")) continue;
    const std::string shown = uncolored(line);
    auto read = read_line(shown);
    if (!read) read = read_by_mark(shown);
    if (!read) {
      if (++log.unread <= kMostUnreadShown) log.unread_at.push_back(at);
      continue;
    }
    if (!read->kernel) continue;
    before = read->relative ? before : read->when;
    if (is_boot(*read)) {
      log = Log();
      log.from_boot = true;
    }
    log.lines.push_back({before, uncolored(unescape(read->message)), at});
  }
  return log;
}

}  // namespace assay::node::kernel_log
