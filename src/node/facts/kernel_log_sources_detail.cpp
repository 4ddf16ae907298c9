#include "node/facts/kernel_log_sources_detail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <optional>

#include "base/text.hpp"
#include "node/facts/kernel_log_excerpt_detail.hpp"
#include "node/facts/kernel_log_times_detail.hpp"

namespace assay::node::kernel_log {

namespace {

constexpr std::size_t kMost = 4u << 20;  // bytes of a log, the newest kept
constexpr const char* kMostLines = "30000";
// The judge's own bar for a log that doesn't begin with the boot: further sources cost time.
constexpr double kLongEnough = 86400;

using Attempt = std::function<Seen<Source>()>;

Now now_of(Host& host) {
  Now now;
  if (const auto line = host.line("/proc/uptime")) now.since_boot = text::decimal(line->substr(0, line->find(' ')));
  if (host.live()) now.clock = std::time(nullptr);
  return now;
}

Seen<double> reach_of(const Log& log, const Now& now) {
  const std::string &first = log.lines.front().when, &last = log.lines.back().when;
  if (const auto seconds = reach(first, last, now)) return *seconds;
  return unseen(Absence::malformed,
                fmt::format("no time passes from \"{}\" to \"{}\" in a form that is known", first, last));
}

Seen<Source> understood(Host& host, const std::string& name, const std::string& text, const Now& now) {
  Source source{name, parse(text), {}, 0.0};
  const Log& log = source.log;
  source.events = by_turns(events(log));
  host.note("excerpt of " + name,
            excerpt(text, log, std::span(source.events).first(std::min(source.events.size(), kMostEvents))));
  if (log.lines.empty())
    return unseen(Absence::malformed,
                  fmt::format("{} holds no kernel message in a known form ({} other lines)", name, log.unread));
  if (before_boot(log.lines.back().when, now))
    return unseen(Absence::malformed,
                  fmt::format("{} ends {}, before the kernel was started", name, log.lines.back().when));
  source.reach = reach_of(log, now);
  return source;
}

Attempt from_stream(Host& host, const std::string& path, const Now& now) {
  return [&host, path, &now] {
    return host.stream(path, kMost, false).and_then([&](const std::string& text) {
      return understood(host, path, text, now);
    });
  };
}

Attempt from_command(Host& host, std::vector<std::string> argv, const Now& now) {
  return [&host, argv = std::move(argv), &now] {
    return host.output(argv, {std::chrono::seconds(10), 2 * kMost}, false).and_then([&](const std::string& text) {
      return understood(host, argv.front(), text, now);
    });
  };
}

// What logrotate made of a log last, as long as it isn't packed: NAME.1, or NAME-20250131.
std::string rotated(Host& host, const std::string& path) {
  if (host.exists(path + ".1")) return path + ".1";
  const auto names = host.names("/var/log", false);
  const std::string start = path.substr(path.rfind('/') + 1) + "-";
  std::string newest;
  for (const std::string& name : names ? *names : std::vector<std::string>())
    if (name.size() == start.size() + 8 && name.starts_with(start) && text::integer(name.substr(start.size())))
      newest = std::max(newest, "/var/log/" + name);
  return newest;
}

// With what was rotated away last, unless the boot or the limit comes before it.
Attempt from_log_file(Host& host, const std::string& path, const Now& now) {
  return [&host, path, &now]() -> Seen<Source> {
    auto text = host.stream(path, kMost, false);
    if (!text) return tl::unexpected(text.error());
    if (text->size() >= kMost || parse(*text).from_boot) return understood(host, path, *text, now);
    const std::string before = rotated(host, path);
    auto older = before.empty() ? unseen(Absence::missing, "") : host.stream(before, kMost, false);
    if (!older) return understood(host, path, *text, now);
    if (!older->ends_with('\n')) *older += '\n';
    return understood(host, before + " and " + path, *older + *text, now);
  };
}

std::vector<Attempt> attempts(Host& host, const Now& now) {
  std::vector<Attempt> list;
  if (host.live()) {
    list.push_back(from_stream(host, "/dev/kmsg", now));
    list.push_back(
        from_command(host, {"journalctl", "-k", "-b", "-n", kMostLines, "-o", "short-iso", "--no-pager", "-q"}, now));
    list.push_back(from_command(host, {"dmesg"}, now));
  } else {
    list.push_back(from_stream(host, "/sos_commands/kernel/dmesg", now));
    list.push_back(from_stream(host, "/sos_commands/kernel/dmesg_-T", now));
  }
  for (const char* path : {"/var/log/kern.log", "/var/log/messages", "/var/log/syslog"})
    list.push_back(from_log_file(host, path, now));
  return list;
}

// Programs tell a refusal in words and by their exit status alone.
Absent as_refusal(Absent why) {
  for (const char* words : {"Operation not permitted", "Permission denied", "insufficient permissions"})
    if (why.detail.find(words) != std::string::npos) why.reason = Absence::permission;
  return why;
}

bool long_enough(const Source& source) {
  return source.log.from_boot || (source.reach && *source.reach >= kLongEnough);
}

// The one that reaches back further, with the events that only the other knew: a failure isn't hidden by a choice.
Source better(Source one, Source other) {
  const auto worth = [](const Source& source) { return long_enough(source) ? 1e18 : source.reach.value_or(-1); };
  if (worth(one) < worth(other)) std::swap(one, other);
  const auto known = [&](const Event& event) {
    return std::any_of(one.events.begin(), one.events.end(), [&](const Event& each) {
      return each.kind == event.kind && each.device == event.device && each.code == event.code &&
             each.severity == event.severity;
    });
  };
  std::vector<Event> extra;
  std::copy_if(other.events.begin(), other.events.end(), std::back_inserter(extra), std::not_fn(known));
  one.events.insert(one.events.end(), extra.begin(), extra.end());
  one.events = by_turns(std::move(one.events));
  return one;
}

}  // namespace

Seen<Source> find(Host& host) {
  const Now now = now_of(host);
  std::optional<Source> best;
  std::optional<Absence> reason;
  std::string in_the_way;
  for (const Attempt& attempt : attempts(host, now)) {
    auto source = attempt();
    if (source) {
      best = best ? better(std::move(*best), std::move(*source)) : std::move(*source);
      if (long_enough(*best)) return *best;
      continue;
    }
    const Absent why = as_refusal(source.error());
    if (why.reason == Absence::missing || why.reason == Absence::unsupported) continue;
    in_the_way += (in_the_way.empty() ? "" : "; ") + why.detail;
    if (!reason || why.reason == Absence::permission) reason = why.reason;
  }
  if (best) return *best;
  if (reason) return unseen(*reason, in_the_way);
  return tl::unexpected(host.none("neither /dev/kmsg, journalctl, dmesg nor a log under /var/log is there"));
}

}  // namespace assay::node::kernel_log
