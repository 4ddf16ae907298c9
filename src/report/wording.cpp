#include "report/wording.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <ctime>
#include <map>

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
    {"unsupported", "that this system can't tell"},
    {"missing", "not there"},
    {"unasked", "never asked for"},
}};

std::string_view reason_in_words(const std::string& reason) {
  for (const auto& [name, words] : kReasons)
    if (name == reason) return words;
  return reason;
}

// What is said of a gap apart from where it is.
std::string fate(const Gap& gap) {
  const std::string_view head = gap.of == Gap::Of::host   ? (gap.reason == "unasked" ? "" : "didn't answer")
                                : gap.of == Gap::Of::step ? ""
                                                          : reason_in_words(gap.reason);
  if (head.empty() || gap.detail.empty()) return gap.detail.empty() ? std::string(head) : gap.detail;
  return fmt::format("{}: {}", head, gap.detail);
}

}  // namespace

std::string moment(const std::string& stamp) {
  if (seconds_of(stamp) < 0 || stamp.size() != 20) return stamp;
  return fmt::format("{} {} UTC", stamp.substr(0, 10), stamp.substr(11, 5));
}

std::string duration(const Run& run) {
  const auto started = seconds_of(run.started);
  const auto ended = seconds_of(run.ended);
  if (started < 0 || ended < started) return {};
  const auto seconds = ended - started;
  if (seconds < 120) return fmt::format("{} s", seconds);
  if (seconds < 7200) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {} min", seconds / 3600, seconds % 3600 / 60);
}

std::vector<GapLine> gap_lines(const Report& report) {
  std::vector<GapLine> lines;
  std::vector<std::vector<Subject>> subjects;  // of hosts and steps, folded at the end
  std::map<std::tuple<int, std::string, std::string, std::string>, std::size_t> known;
  for (const Gap& gap : report.gaps) {
    const bool single = gap.of == Gap::Of::observation;
    std::string where = single ? fold_subjects(gap.subjects) : std::string();
    const auto [found, is_new] = known.try_emplace(
        {static_cast<int>(gap.of), where, gap.of == Gap::Of::step ? gap.name : std::string(), fate(gap)}, lines.size());
    if (is_new) {
      lines.push_back({gap.of, std::move(where), fate(gap), {}});
      subjects.emplace_back();
    }
    lines[found->second].names.push_back(gap.name);
    if (!single) subjects[found->second].push_back(gap.subject);
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].of == Gap::Of::observation) continue;
    const std::string hosts = fold_subjects(subjects[i]);
    lines[i].where = lines[i].of == Gap::Of::step ? fmt::format("{} on {}", lines[i].names.front(), hosts) : hosts;
    lines[i].names.clear();
  }
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
