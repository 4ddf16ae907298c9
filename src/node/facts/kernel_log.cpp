// The kernel's log: where it could be read from, how far back it reaches, and what went wrong in it. A log that may not
// be read is absent, never without errors; one in which no kernel message can be recognized is refused.
#include <fmt/format.h>

#include <map>

#include "base/text.hpp"
#include "node/facts/kernel_log_sources_detail.hpp"
#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

using kernel_log::Event;
using kernel_log::Log;
using kernel_log::Source;

constexpr Emits kEmits[] = {
    {"kernel-log.source", "", "", "what the kernel's log was read from"},
    {"kernel-log.lines", "", "1", "kernel messages read, of the last boot"},
    {"kernel-log.unread-lines", "", "1", "lines in no known form"},
    {"kernel-log.from-boot", "", "", "whether it holds everything from the kernel's first message on"},
    {"kernel-log.reach", "", "s", "time from its oldest message to now, or to its newest if it is a saved one"},
    {"kernel-log.first", "", "", "time of the oldest message, as the log writes it"},
    {"kernel-log.last", "", "", "time of the newest message"},
    {"kernel-log.counts", "", "", "messages of each kind of trouble; 0 for a kind that wasn't seen"},
    {"kernel-log.event", "kernel-event", "",
     "one kind of trouble with one device: kind, device, code, severity, count, first, last, text, last-text, "
     "before-driver-load"},
};

constexpr std::size_t kLongestText = 400;

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
  std::map<std::string_view, std::int64_t> counts;
  for (const auto kind : kernel_log::kKinds) counts[kind] = 0;
  std::size_t said = 0;
  for (const Event& event : source.events) {
    counts[event.kind] += event.count;
    if (said++ < kernel_log::kMostEvents)
      findings.see(Subject().child("kernel-event", name_of_event(event)), "kernel-log.event", record_of(event),
                   source.name);
  }
  Record all;
  for (const auto& [kind, count] : counts) all.emplace(kind, fmt::to_string(count));
  findings.see({}, "kernel-log.counts", all, source.name);
}

void read(Host& host, Findings& findings) {
  const auto source = kernel_log::find(host);
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
  findings.say({}, "kernel-log.reach", source->reach, source->name);
  findings.see({}, "kernel-log.first", log.lines.front().when, source->name);
  findings.see({}, "kernel-log.last", log.lines.back().when, source->name);
  say_events(*source, findings);
}

}  // namespace

extern const Reader kernel_log = {"kernel-log", "the kernel's log", std::chrono::seconds(30), kEmits, read};

}  // namespace assay::node::facts
