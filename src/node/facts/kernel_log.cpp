// The kernel's log: where it could be read from, how far back it reaches, and what went wrong in it. A log that may not
// be read is absent, never without errors; one in which no kernel message can be recognized is refused.
#include <fmt/format.h>

#include <map>

#include "base/text.hpp"
#include "node/facts/kernel_log_events_detail.hpp"
#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

using kernel_log::Event;
using kernel_log::Log;

constexpr Emits kEmits[] = {
    {"kernel-log.source", "", "", "what the kernel's log was read from"},
    {"kernel-log.lines", "", "1", "kernel messages read, of the last boot"},
    {"kernel-log.unread-lines", "", "1", "lines in no known form"},
    {"kernel-log.from-boot", "", "", "whether it reaches back to the kernel's first message"},
    {"kernel-log.first", "", "", "time of the oldest message, as the log writes it"},
    {"kernel-log.last", "", "", "time of the newest message"},
    {"kernel-log.counts", "", "", "messages of each kind of trouble; 0 for a kind that wasn't seen"},
    {"kernel-log.event", "kernel-event", "",
     "one kind of trouble with one device: kind, device, code, severity, count, first, last, text, last-text, "
     "before-driver-load"},
};

constexpr std::size_t kMost = 4u << 20;  // bytes of a log, the newest kept
constexpr std::size_t kMostEvents = 300;
constexpr std::size_t kLongestText = 400;

struct Source {
  std::string name;
  Log log;
};

Seen<Source> understood(const std::string& name, const std::string& text) {
  Log log = kernel_log::parse(text);
  if (log.lines.empty())
    return unseen(Absence::malformed,
                  fmt::format("{} holds no kernel message in a known form ({} other lines)", name, log.unread));
  return Source{name, std::move(log)};
}

using Attempt = std::function<Seen<Source>()>;

Attempt from_file(Host& host, const std::string& path) {
  return [&host, path] {
    return host.stream(path, kMost).and_then([&](const std::string& text) { return understood(path, text); });
  };
}

Attempt from_command(Host& host, std::vector<std::string> argv) {
  return [&host, argv = std::move(argv)] {
    return host.output(argv, {std::chrono::seconds(10), 2 * kMost}).and_then([&](const std::string& text) {
      return understood(argv.front(), text);
    });
  };
}

std::vector<Attempt> attempts(Host& host) {
  std::vector<Attempt> list;
  if (host.live()) {
    list.push_back(from_file(host, "/dev/kmsg"));
    list.push_back(from_command(host, {"journalctl", "-k", "-b", "-o", "short-iso", "--no-pager", "-q"}));
    list.push_back(from_command(host, {"dmesg"}));
  } else {
    list.push_back(from_file(host, "/sos_commands/kernel/dmesg"));
    list.push_back(from_file(host, "/sos_commands/kernel/dmesg_-T"));
  }
  for (const char* path : {"/var/log/kern.log", "/var/log/messages", "/var/log/syslog", "/var/log/dmesg"})
    list.push_back(from_file(host, path));
  return list;
}

// Programs tell a refusal in words and by their exit status alone.
Absent as_refusal(Absent why) {
  for (const char* words : {"Operation not permitted", "Permission denied", "insufficient permissions"})
    if (why.detail.find(words) != std::string::npos) why.reason = Absence::permission;
  return why;
}

// The first that can be read. Where none can, what stood in the way of those that are there.
Seen<Source> find_log(Host& host) {
  std::optional<Absence> reason;
  std::string in_the_way;
  for (const Attempt& attempt : attempts(host)) {
    auto source = attempt();
    if (source) return source;
    const Absent why = as_refusal(source.error());
    if (why.reason == Absence::missing || why.reason == Absence::unsupported) continue;
    in_the_way += (in_the_way.empty() ? "" : "; ") + why.detail;
    if (!reason || why.reason == Absence::permission) reason = why.reason;
  }
  if (!reason)
    return unseen(Absence::missing, "neither /dev/kmsg, journalctl, dmesg nor a log under /var/log is there");
  return unseen(*reason, in_the_way);
}

Record record_of(const Event& event) {
  return {{"kind", std::string(event.kind)},
          {"device", event.device},
          {"code", event.code},
          {"severity", event.severity},
          {"count", fmt::to_string(event.count)},
          {"first", event.first},
          {"last", event.last},
          {"text", text::to_utf8(event.text, kLongestText)},
          {"last-text", text::to_utf8(event.last_text, kLongestText)},
          {"before-driver-load", event.before_driver_load ? "yes" : "no"}};
}

std::string name_of_event(const Event& event) {
  std::string name(event.kind);
  for (const std::string* part : {&event.code, &event.severity, &event.device})
    if (!part->empty()) name += "-" + *part;
  return name;
}

void say_events(const Source& source, Findings& findings) {
  const auto found = kernel_log::by_turns(kernel_log::events(source.log));
  std::map<std::string_view, std::int64_t> counts;
  for (const auto kind : kernel_log::kKinds) counts[kind] = 0;
  std::size_t said = 0;
  for (const Event& event : found) {
    counts[event.kind] += event.count;
    if (said++ < kMostEvents)
      findings.see(Subject().child("kernel-event", name_of_event(event)), "kernel-log.event", record_of(event),
                   source.name);
  }
  Record all;
  for (const auto& [kind, count] : counts) all.emplace(kind, fmt::to_string(count));
  findings.see({}, "kernel-log.counts", all, source.name);
}

void read(Host& host, Findings& findings) {
  const auto source = find_log(host);
  if (!source) {
    for (const Emits& each : kEmits)
      if (each.subject.empty()) findings.absent({}, each.name, source.error());
    return;
  }
  const Log& log = source->log;
  findings.see({}, "kernel-log.source", source->name, source->name);
  findings.see({}, "kernel-log.lines", static_cast<std::int64_t>(log.lines.size()), source->name);
  findings.see({}, "kernel-log.unread-lines", static_cast<std::int64_t>(log.unread), source->name);
  findings.see({}, "kernel-log.from-boot", log.from_boot, source->name);
  findings.see({}, "kernel-log.first", log.lines.front().when, source->name);
  findings.see({}, "kernel-log.last", log.lines.back().when, source->name);
  say_events(*source, findings);
}

}  // namespace

extern const Reader kernel_log = {"kernel-log", "the kernel's log", std::chrono::seconds(30), kEmits, read};

}  // namespace assay::node::facts
