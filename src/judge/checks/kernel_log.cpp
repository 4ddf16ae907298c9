// What the kernel's log holds of GPU errors (XID, SXID), PCIe errors (AER) and machine checks. A log that couldn't be
// read proves nothing; one that was read proves that it holds no more than was found in it, and only for as long as it
// reaches back.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/text.hpp"
#include "judge/findings.hpp"

namespace assay::judge::checks {

namespace {

// So many corrected errors in one log are a bad contact or a failing part, whatever was corrected. Our own bar: nobody
// has published one.
constexpr std::int64_t kManyCorrected = 100;

// A log that no longer holds the boot must reach back so far before its silence means anything: one that was rotated
// minutes ago is silent about every node. Our own bar.
constexpr double kLongEnough = 86400;

struct Event {
  std::string device, code, severity, text, last_text;
  std::int64_t count = 0;
  bool before_driver_load = false;
  const Observation* observation = nullptr;
};

std::string field(const Record& record, const char* key) {
  const auto found = record.find(key);
  return found == record.end() ? std::string() : found->second;
}

std::vector<Event> events_of(const Snapshot& snapshot, const Subject& node, std::string_view kind) {
  std::vector<Event> events;
  for (const Subject& part : snapshot.parts(node, "kernel-event")) {
    const auto record = snapshot.record(part, "kernel-log.event");
    if (!record || field(*record, "kind") != kind) continue;
    events.push_back({field(*record, "device"), field(*record, "code"), field(*record, "severity"),
                      field(*record, "text"), field(*record, "last-text"),
                      text::integer(field(*record, "count")).value_or(1), field(*record, "before-driver-load") == "yes",
                      record.observation});
  }
  return events;
}

// The node tells only so many events; what it counted beyond them may be the worst. Empty if all of a kind were told.
std::string untold(const Record& counts, const std::vector<Event>& events, const std::string& kind) {
  const auto counted = text::integer(field(counts, kind.c_str()));
  if (!counted) return fmt::format("how many {} messages there are wasn't counted", kind);
  std::int64_t told = 0;
  for (const Event& event : events) told += event.count;
  if (told >= *counted) return {};
  return fmt::format("{} {} messages were counted and {} told, so what the others say isn't known", *counted, kind,
                     told);
}

std::string duration(double seconds) {
  if (seconds < 7200) return fmt::format("{:.0f} minutes", seconds / 60);
  if (seconds < 2 * 86400) return fmt::format("{:.0f} hours", seconds / 3600);
  return fmt::format("{:.0f} days", seconds / 86400);
}

// Why the log may hide what it doesn't show; empty if it doesn't.
std::string blind(const Snapshot& snapshot, const Subject& node) {
  const auto lines = snapshot.integer(node, "kernel-log.lines");
  const auto unread = snapshot.integer(node, "kernel-log.unread-lines");
  if (!lines || !unread)
    return "how much of the kernel's log could be read isn't known: " + (lines ? unread.gap : lines.gap);
  if (*unread > *lines)
    return fmt::format("{} lines of the log are in no known form, and only {} kernel messages were read", *unread,
                       *lines);
  const auto whole = snapshot.boolean(node, "kernel-log.from-boot");
  if (whole && *whole) return {};
  const auto reach = snapshot.number(node, "kernel-log.reach");
  if (!reach) return "how far back the kernel's log reaches isn't known: " + reach.gap;
  if (*reach >= kLongEnough) return {};
  return fmt::format("the log covers only {} and older messages are gone; a day is the least that says anything",
                     duration(*reach));
}

// How much of a log the verdict rests on.
std::string reach(const Snapshot& snapshot, const Subject& node) {
  const auto lines = snapshot.integer(node, "kernel-log.lines");
  const auto unread = snapshot.integer(node, "kernel-log.unread-lines");
  const auto whole = snapshot.boolean(node, "kernel-log.from-boot");
  const auto first = snapshot.text(node, "kernel-log.first");
  const auto span = snapshot.number(node, "kernel-log.reach");
  std::string back = "of an unknown time";
  if (whole && *whole) back = span ? fmt::format("since the boot, {} ago", duration(*span)) : "since the boot";
  if ((!whole || !*whole) && span)
    back =
        fmt::format("of the last {}{}; older ones are gone", duration(*span), first ? " (since " + *first + ")" : "");
  const std::string beside = unread && *unread > 0 ? fmt::format(" beside {} lines in no known form", *unread) : "";
  return fmt::format("{} kernel messages{} {}", lines ? fmt::to_string(*lines) : "the", beside, back);
}

std::string spaced(std::string words) {
  std::replace(words.begin(), words.end(), '-', ' ');
  return words;
}

// An event that can't be read may be of any kind; empty if all can.
std::string unread_event(const Snapshot& snapshot, const Subject& node) {
  for (const Subject& part : snapshot.parts(node, "kernel-event"))
    if (const auto record = snapshot.record(part, "kernel-log.event"); !record)
      return "one of the messages that were told: " + record.gap;
  return {};
}

// What may hide something worse than the events that are known; empty if nothing does.
std::string gap_of(const Snapshot& snapshot, const Subject& node, const Reading<Record>& counts,
                   const std::vector<Event>& events, const std::string& kind) {
  if (!counts) return counts.gap;
  if (std::string unread = unread_event(snapshot, node); !unread.empty()) return unread;
  const std::string hidden = untold(*counts, events, kind);
  return hidden.empty() ? blind(snapshot, node) : hidden;
}

// What one event says by itself: its status and words.
struct Weight {
  Status status = Status::pass;
  std::string words;
};

void add(Findings& found, const Weight& weight, std::string measured, const Event& event) {
  found.add({weight.status, std::move(measured), weight.words});
  found.rest_on({event.observation});
}

// Of a subject with events, so never said by itself.
const Opinion kNone = {Status::pass, "none", "nothing was logged"};

// "GPU recovery action changed from 0x0 (None) to 0x4 (Drain and Reset)": what it asks for since.
Weight on_recovery_action(const std::string& text) {
  const auto to = text.rfind(" to 0x");
  const auto open = text.find('(', to == std::string::npos ? text.size() : to);
  const auto close = text.find(')', open == std::string::npos ? text.size() : open);
  if (close == std::string::npos) return {Status::warn, "XID 154 names no recovery action"};
  const std::string action = text.substr(open + 1, close - open - 1);
  if (action == "None") return {Status::pass, "XID 154: the GPU asks for no recovery action any more"};
  return {Status::fail, "XID 154: the GPU asks for \"" + action + "\""};
}

// `alone`: the GPU logged no other XID; nothing where another may be among what wasn't seen.
Weight on_xid(const Event& event, const catalog::Table& xids, std::optional<bool> alone) {
  const Record* row = xids.row(event.code);
  if (row == nullptr) return {Status::warn, fmt::format("XID {} isn't in the table of known ones", event.code)};
  const std::string& action = row->at("action");
  if (action == "recovery-action") return on_recovery_action(event.last_text);
  const std::string words = fmt::format("XID {} ({})", event.code, row->at("meaning"));
  if (action == "follow-others" && !alone)
    return {Status::unknown, words + " follows another XID, which may be among the messages that weren't seen"};
  if (action == "follow-others" && !*alone) return {Status::pass, words + " follows another XID"};
  if (action == "follow-others") return {Status::warn, words + " came alone; look for what ended the work"};
  if (action == "unstated") return {Status::warn, words + ", for which the catalog names no action"};
  if (action == "ignore") return {Status::pass, words + " needs no action by NVIDIA's catalog"};
  if (action == "restart-application")
    return row->at("cause") == "application" ? Weight{Status::pass, words + " is an application's own error"}
                                             : Weight{Status::warn, words + " cost an application its run"};
  const std::string act = spaced(action);
  if (event.before_driver_load)
    return {Status::warn, fmt::format("{} came before the driver was loaded anew; then due: {}", words, act)};
  if (event.severity == "non-fatal") return {Status::warn, fmt::format("{}, called non-fatal; due: {}", words, act)};
  return {Status::fail, fmt::format("{}; due by NVIDIA's catalog: {}", words, act)};
}

Weight on_sxid(const Event& event, const catalog::Table& sxids) {
  if (event.severity == "fatal") return {Status::fail, fmt::format("fatal SXID {} of an NVSwitch", event.code)};
  if (const Record* row = sxids.row(event.code))
    return {Status::warn,
            fmt::format("SXID {} of an NVSwitch ({}): {}", event.code, row->at("meaning"), spaced(row->at("action")))};
  if (event.severity != "non-fatal")
    return {Status::unknown, fmt::format("SXID {} of an NVSwitch of severity \"{}\"", event.code, event.severity)};
  return {Status::pass, fmt::format("SXID {} of an NVSwitch, which calls it non-fatal", event.code)};
}

// The node's GPUs by their addresses; those that don't tell theirs are left out.
std::map<std::string, Subject> gpus_by_address(const Snapshot& snapshot, const Subject& node) {
  std::map<std::string, Subject> found;
  for (const Subject& part : snapshot.parts(node, "gpu"))
    if (const auto address = snapshot.text(part, "gpu.pci-address")) found.emplace(*address, part);
  return found;
}

// The node has no GPU, and its log doesn't tell of one that it had. A driver that counts none may have lost its last.
bool without_gpus(const Snapshot& snapshot, const Subject& node, const Reading<Record>& counts) {
  const auto gpus = snapshot.integer(node, "gpu.count");
  if (!gpus || *gpus != 0) return false;
  for (const char* kind : {"xid", "sxid"}) {
    if (!events_of(snapshot, node, kind).empty()) return false;
    if (counts && text::integer(field(*counts, kind)).value_or(0) > 0) return false;
  }
  return true;
}

// What may hide something worse than the XIDs and SXIDs that are known.
std::string gap_of_xids(const Snapshot& snapshot, const Subject& node, const Reading<Record>& counts,
                        const std::vector<Event>& xids, const std::vector<Event>& sxids) {
  if (!counts) return counts.gap;
  const std::string hidden = untold(*counts, xids, "xid");
  return hidden.empty() ? gap_of(snapshot, node, counts, sxids, "sxid") : hidden;
}

void judge_xids(const Snapshot& snapshot, const Subject& node, const Reading<Record>& counts, Judgement& judgement) {
  const auto gpus = gpus_by_address(snapshot, node);
  std::map<std::string, std::pair<Subject, Findings>> troubled;
  const auto put = [&](const Event& event, const Weight& weight, const std::string& kind) {
    const auto gpu = gpus.find(event.device);
    const Subject subject = gpu != gpus.end() ? gpu->second : node.child("pci", event.device);
    auto& entry = troubled.try_emplace(subject.path(), subject, Findings()).first->second;
    add(entry.second, weight, fmt::format("{} {} ×{}", kind, event.code, event.count), event);
  };
  const auto xids = events_of(snapshot, node, "xid");
  const auto sxids = events_of(snapshot, node, "sxid");
  const std::string gap = gap_of_xids(snapshot, node, counts, xids, sxids);
  for (const Event& event : xids) {
    const bool alone = std::none_of(xids.begin(), xids.end(), [&](const Event& other) {
      return other.device == event.device && other.code != event.code;
    });
    put(event, on_xid(event, judgement.table("xids"), alone && !gap.empty() ? std::nullopt : std::optional(alone)),
        "XID");
  }
  for (const Event& event : sxids) put(event, on_sxid(event, judgement.table("sxids")), "SXID");
  for (auto& [path, entry] : troubled) {
    if (!gap.empty()) entry.second.gap(gap);
    entry.second.say(entry.first, kNone, judgement);
  }
  if (!gap.empty()) return judgement.unknown(node, gap, {counts.observation});

  std::size_t clean = 0;
  for (const Subject& part : snapshot.parts(node, "gpu")) {
    const auto address = snapshot.text(part, "gpu.pci-address");
    if (troubled.contains(part.path())) continue;
    ++clean;
    if (!address) {
      judgement.unknown(part, address);
    } else {
      judgement.pass(part, "none", "no XID of this GPU in " + reach(snapshot, node),
                     {counts.observation, address.observation});
    }
  }
  if (clean == 0 && troubled.empty())
    judgement.pass(node, "none", "no XID in " + reach(snapshot, node), {counts.observation});
}

void xid_none(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& node : snapshot.nodes()) {
    const auto counts = snapshot.record(node, "kernel-log.counts");
    if (without_gpus(snapshot, node, counts)) {
      judgement.not_applicable(node, "the node has no GPU", {snapshot.find(node, "gpu.count"), counts.observation});
    } else {
      judge_xids(snapshot, node, counts, judgement);
    }
  }
}

Weight on_aer(const Event& event) {
  if (event.severity == "fatal" || event.severity == "non-fatal" || event.severity == "uncorrected")
    return {Status::fail, fmt::format("{} PCIe errors of severity {}", event.count, event.severity)};
  if (event.severity != "corrected")
    return {Status::unknown, fmt::format("{} PCIe errors of severity \"{}\"", event.count, event.severity)};
  if (event.count >= kManyCorrected)
    return {Status::warn, fmt::format("{} corrected PCIe errors are a sign of a bad link", event.count)};
  return {Status::pass, fmt::format("{} corrected PCIe errors: the link recovered by itself", event.count)};
}

void aer_clean(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& node : snapshot.nodes()) {
    const auto counts = snapshot.record(node, "kernel-log.counts");
    std::map<std::string, Findings> devices;
    const auto events = events_of(snapshot, node, "aer");
    const std::string gap = gap_of(snapshot, node, counts, events, "aer");
    for (const Event& event : events)
      add(devices[event.device], on_aer(event), fmt::format("{} {}", event.count, event.severity), event);
    for (auto& [device, found] : devices) {
      if (!gap.empty()) found.gap(gap);
      found.say(node.child("pci", device), kNone, judgement);
    }
    if (!gap.empty()) {
      judgement.unknown(node, gap, {counts.observation});
    } else if (devices.empty()) {
      judgement.pass(node, "none", "no PCIe error in " + reach(snapshot, node), {counts.observation});
    }
  }
}

Weight on_mce(const Event& event) {
  if (event.severity == "uncorrected")
    return {Status::fail, fmt::format("{} uncorrected hardware errors ({})", event.count, event.device)};
  if (event.severity == "unknown")
    return {Status::warn, "machine checks were logged without their details; see mcelog or rasdaemon"};
  if (event.severity == "informational")
    return {Status::pass, fmt::format("{} records of the firmware for information", event.count)};
  if (event.severity != "corrected")
    return {Status::unknown, fmt::format("{} hardware errors of severity \"{}\"", event.count, event.severity)};
  if (event.count >= kManyCorrected)
    return {Status::warn, fmt::format("{} corrected hardware errors ({})", event.count, event.device)};
  return {Status::pass, fmt::format("{} corrected hardware errors ({})", event.count, event.device)};
}

void mce_clean(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& node : snapshot.nodes()) {
    const auto counts = snapshot.record(node, "kernel-log.counts");
    auto events = events_of(snapshot, node, "mce");
    Findings found;
    found.rest_on({counts.observation});
    // The bare announcement says nothing that the details beside it don't.
    const auto bare = [](const Event& event) { return event.severity == "unknown"; };
    const bool detailed = !std::all_of(events.begin(), events.end(), bare);
    for (const Event& event : events)
      if (!detailed || !bare(event))
        add(found, on_mce(event), fmt::format("{} {}", event.count, event.severity), event);
    if (const std::string gap = gap_of(snapshot, node, counts, events, "mce"); !gap.empty()) found.gap(gap);
    found.say(node, {Status::pass, "none", "no machine check in " + reach(snapshot, node)}, judgement);
  }
}

}  // namespace

extern const Family kernel_log = {
    {"reliability.xid-none", xid_none},
    {"reliability.aer-clean", aer_clean},
    {"reliability.mce-clean", mce_clean},
};

}  // namespace assay::judge::checks
