#include "node/facts/kernel_log_times_detail.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>

#include "base/text.hpp"
#include "node/facts/kernel_log_forms_detail.hpp"

namespace assay::node::kernel_log {

namespace {

constexpr double kDay = 86400;
// A clock may have been set while the machine booted.
constexpr double kClockSet = 3600;

// `boot`: since the kernel's start. `universal`: since 1970. `local`: the same of a clock in some time zone.
// `yearless`: local, in the year 2000.
enum class Scale { boot, universal, local, yearless };

struct Moment {
  Scale scale;
  double seconds;
};

double calendar(int year, int month, int day, int hour, int minute, int second) {
  std::tm parts{};
  parts.tm_year = year - 1900;
  parts.tm_mon = month - 1;
  parts.tm_mday = day;
  parts.tm_hour = hour;
  parts.tm_min = minute;
  parts.tm_sec = second;
  return static_cast<double>(timegm(&parts));
}

// The digits at `at`; blanks before them count as none.
int number(std::string_view text, std::size_t at, std::size_t length) {
  return static_cast<int>(text::integer(text::trim(text.substr(std::min(at, text.size()), length))).value_or(0));
}

int month_of(std::string_view name) {
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  return static_cast<int>(kMonths.find(name.substr(0, 3)) / 3) + 1;
}

std::optional<Moment> counted(std::string_view when, std::string_view words, Scale scale) {
  if (!when.ends_with(words)) return std::nullopt;
  const auto seconds = text::decimal(when.substr(0, when.size() - words.size()));
  if (!seconds) return std::nullopt;
  return Moment{scale, *seconds};
}

// "2025-01-02T15:20:12.5+08:00", "2025-01-02 15:20:12 CST"
std::optional<Moment> dated(std::string_view when) {
  if (!shaped(when, "9999-99-99T99:99:99") && !shaped(when, "9999-99-99 99:99:99")) return std::nullopt;
  const double seconds = calendar(number(when, 0, 4), number(when, 5, 2), number(when, 8, 2), number(when, 11, 2),
                                  number(when, 14, 2), number(when, 17, 2));
  const auto zone = when.find_first_of("+-Z", 19);
  if (zone == std::string_view::npos || when[10] == ' ') return Moment{Scale::local, seconds};
  if (when[zone] == 'Z') return Moment{Scale::universal, seconds};
  const double ahead = 3600.0 * number(when, zone + 1, 2) + 60.0 * number(when, when.size() - 2, 2);
  return Moment{Scale::universal, when[zone] == '+' ? seconds - ahead : seconds + ahead};
}

// "Jan  5 20:25:34", "Jan  5 20:25" and, with a weekday before and a year behind, "Sun Jan  5 20:25:34 2025"
std::optional<Moment> named(std::string_view when) {
  const bool with_year = begins_with_weekday(when) && when.size() == 24;
  const auto rest = with_year ? when.substr(4) : when;
  if (!begins_with_month(rest) || rest.size() < 12 || !shaped(rest.substr(6), " 99:99")) return std::nullopt;
  const int year = with_year ? number(when, 20, 4) : 2000;
  const int second = rest.size() >= 15 ? number(rest, 13, 2) : 0;
  return Moment{with_year ? Scale::local : Scale::yearless,
                calendar(year, month_of(rest), number(rest, 4, 2), number(rest, 7, 2), number(rest, 10, 2), second)};
}

std::optional<Moment> moment(std::string_view when) {
  if (const auto found = counted(when, " s after boot", Scale::boot)) return found;
  if (const auto found = counted(when, " s after 1970", Scale::universal)) return found;
  if (const auto found = dated(when)) return found;
  return named(when);
}

std::optional<double> now_on(Scale scale, const Now& now) {
  if (scale == Scale::boot) return now.since_boot;
  if (!now.clock) return std::nullopt;
  if (scale == Scale::universal) return static_cast<double>(*now.clock);
  const std::time_t clock = *now.clock;
  std::tm parts{};
  if (localtime_r(&clock, &parts) == nullptr) return std::nullopt;
  return calendar(scale == Scale::yearless ? 2000 : parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                  parts.tm_hour, parts.tm_min, parts.tm_sec);
}

// How much later `to` is. Without a year, a time that seems to be ahead was in the year before.
double apart(const Moment& from, double to) {
  const double span = to - from.seconds;
  return from.scale == Scale::yearless && span < -kDay ? span + 366 * kDay : span;
}

}  // namespace

std::optional<double> reach(std::string_view first, std::string_view last, const Now& now) {
  const auto from = moment(first);
  const auto to = moment(last);
  if (!from || !to || from->scale != to->scale) return std::nullopt;
  double span = apart(*from, to->seconds);
  if (const auto present = now_on(from->scale, now)) span = std::max(span, apart(*from, *present));
  if (span < 0) return std::nullopt;
  return span;
}

bool before_boot(std::string_view when, const Now& now) {
  const auto found = moment(when);
  if (!found || found->scale == Scale::boot || !now.since_boot) return false;
  const auto present = now_on(found->scale, now);
  return present && apart(*found, *present) > *now.since_boot + kClockSet;
}

}  // namespace assay::node::kernel_log
