#include "report/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <map>
#include <set>
#include <tuple>

#include "base/text.hpp"
#include "evidence/facts.hpp"
#include "report/fold.hpp"

namespace assay::report {

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

namespace {

// Seconds since 1970 of 2026-12-01T03:00:00Z, or -1.
std::time_t seconds_of(const std::string& stamp) {
  std::tm tm{};
  char end = 0;
  if (std::sscanf(stamp.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d%c", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour,
                  &tm.tm_min, &tm.tm_sec, &end) != 7 ||
      end != 'Z')
    return -1;
  tm.tm_year -= 1900;
  tm.tm_mon -= 1;
  return timegm(&tm);
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kReasons{{
    {"permission", "hidden from us"},
    {"timeout", "too slow to answer"},
    {"malformed", "unreadable"},
    {"missing", "not there"},
    {"unasked", "never asked for"},
    {"unsupported", "not told by this system"},
}};

std::size_t place_of_reason(const std::string& reason) {
  const auto found =
      std::find_if(kReasons.begin(), kReasons.end(), [&](const auto& one) { return one.first == reason; });
  return found != kReasons.end() ? static_cast<std::size_t>(found - kReasons.begin()) : 0;
}

std::string with_detail(std::string_view head, const std::string& detail) {
  if (head.empty() || detail.empty()) return detail.empty() ? std::string(head) : detail;
  return fmt::format("{}: {}", head, detail);
}

// Hosts, or readers of one name, with the same fate are one line.
void add_large(const Report& report, std::vector<GapLine>& lines) {
  std::map<std::tuple<bool, std::string, std::string>, std::size_t> known;
  std::vector<std::vector<Subject>> hosts;
  for (const Gap& gap : report.gaps) {
    if (gap.of == Gap::Of::observation) continue;
    const bool host = gap.of == Gap::Of::host;
    const std::string what = with_detail(host && gap.reason != "unasked" ? "didn't answer" : "", gap.detail);
    const auto [found, is_new] = known.try_emplace({host, host ? "" : gap.name, what}, lines.size());
    if (is_new) {
      lines.push_back({gap.of, host ? "" : gap.name + " on ", what, {}, false});
      hosts.emplace_back();
    }
    hosts[found->second].push_back(gap.subject);
  }
  for (std::size_t i = 0; i < lines.size(); ++i) lines[i].where += fold_subjects(hosts[i]);
}

// Single things: one name hidden for one reason is one line, wherever and in whatever words; names that share all of
// that share the line.
void add_single(const Report& report, std::vector<GapLine>& lines) {
  struct Hidden {
    std::vector<Subject> subjects;
    std::set<std::string> details;
  };
  std::map<std::pair<std::size_t, std::string>, Hidden> hidden;  // place of the reason, name
  for (const Gap& gap : report.gaps) {
    if (gap.of != Gap::Of::observation) continue;
    Hidden& here = hidden[{place_of_reason(gap.reason), gap.name}];
    here.subjects.insert(here.subjects.end(), gap.subjects.begin(), gap.subjects.end());
    here.details.insert(gap.detail);
  }
  std::map<std::tuple<std::size_t, std::string, std::string>, std::size_t> known;
  for (const auto& [key, here] : hidden) {
    const auto& [reason, name] = key;
    const std::string more = here.details.size() > 1 ? " (and other words)" : "";
    const std::string what = with_detail(kReasons[reason].second, *here.details.begin()) + more;
    const std::string where = fold_subjects(here.subjects);
    const auto [found, is_new] = known.try_emplace({reason, where, what}, lines.size());
    if (is_new) lines.push_back({Gap::Of::observation, where, what, {}, kReasons[reason].first == "unsupported"});
    lines[found->second].names.push_back(name);
  }
}

}  // namespace

std::string moment(const std::string& stamp) {
  if (seconds_of(stamp) < 0 || stamp.size() != 20) return stamp;
  return fmt::format("{} {} UTC", stamp.substr(0, 10), stamp.substr(11, 5));
}

std::string duration(const Run& run) {
  const auto looked = run.more.find(fact::kLooked);
  const auto told = looked == run.more.end() ? std::nullopt : text::integer(looked->second);
  const auto started = seconds_of(run.started);
  const auto ended = seconds_of(run.ended);
  if (!told && (started < 0 || ended < started)) return {};
  const auto seconds = told.value_or(ended - started);
  if (seconds < 120) return fmt::format("{} s", seconds);
  if (seconds < 7200) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {} min", seconds / 3600, seconds % 3600 / 60);
}

std::vector<GapLine> gap_lines(const Report& report) {
  std::vector<GapLine> lines;
  add_large(report, lines);
  add_single(report, lines);
  return lines;
}

std::string gap_summary(const Report& report) {
  std::map<std::string, std::size_t> by_reason;
  std::size_t all = 0;
  for (const Gap& gap : report.gaps) {
    if (gap.of != Gap::Of::observation) continue;
    by_reason[gap.reason] += gap.subjects.size();
    all += gap.subjects.size();
  }
  if (all == 0) return {};
  std::string parts;
  for (const auto& [reason, words] : kReasons)
    if (const auto found = by_reason.find(std::string(reason)); found != by_reason.end())
      parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", found->second, words);
  return fmt::format("{} couldn't be seen: {}", counted(all, "thing", "things"), parts);
}

}  // namespace assay::report
