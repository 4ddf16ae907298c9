#include "node/facts/kernel_log_events_detail.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/text.hpp"

namespace assay::node::kernel_log {

namespace {

// A flap is a link that goes down after it was up: one that is down while the machine boots never was.
class Links {
 public:
  std::optional<Finding> take(std::string_view message) {
    const auto colon = message.find(": ");
    // "mlx5_core 0000:53:00.0 enp83s0f0np0: Link down": the interface is the last word before the colon.
    auto before = message.substr(0, colon);
    auto rest = colon == std::string_view::npos ? std::string_view() : message.substr(colon + 2);
    if (before.find(' ') == std::string_view::npos || before.starts_with("bond")) return std::nullopt;
    const std::string interface(before.substr(before.rfind(' ') + 1));
    const auto up = state_of(rest);
    if (!up) return std::nullopt;
    const bool was_up = std::exchange(up_[interface], *up);
    if (*up || !was_up) return std::nullopt;
    return Finding{"link-flap", interface, "", ""};
  }

 private:
  static std::optional<bool> state_of(std::string_view rest) {
    const std::string words = text::lower(rest);
    for (const char* start : {"link up", "nic link is up", "link is up", "port: 1 link active"})
      if (words.starts_with(start)) return true;
    for (const char* start : {"link down", "nic link is down", "link is down", "port: 1 link down"})
      if (words.starts_with(start)) return false;
    return std::nullopt;
  }

  std::map<std::string, bool> up_;
};

// "pcieport 0000:00:1d.0: AER: Corrected error received: 0000:02:00.0" announces an error whose own line may have been
// left out by the kernel's rate limit.
std::optional<Finding> aer_notice(std::string_view message) {
  const auto at = message.find(": AER: ");
  if (at == std::string_view::npos || message.find("received") == std::string_view::npos) return std::nullopt;
  const auto text = message.substr(at + 7);
  const auto device = pci_function(message.substr(message.rfind(' ') + 1));
  if (device.empty()) return std::nullopt;
  return Finding{"aer", device, "", pcie_severity(text)};
}

using Key = std::tuple<std::string_view, std::string, std::string, std::string>;

Key key_of(const Finding& finding) { return {finding.kind, finding.device, finding.code, finding.severity}; }

class Gathering {
 public:
  void add(const Finding& finding, const Line& line) {
    const auto [place, fresh] = places_.emplace(key_of(finding), events_.size());
    if (fresh) {
      events_.emplace_back();
      static_cast<Finding&>(events_.back()) = finding;
      events_.back().first = line.when;
      events_.back().text = line.message;
      events_.back().first_at = line.at;
    }
    Event& event = events_[place->second];
    event.count += finding.times;
    event.last = line.when;
    event.last_text = line.message;
    event.last_at = line.at;
    event.before_driver_load = false;
  }

  void announce(const Finding& finding, const Line& line) { notices_.emplace_back(finding, line); }

  void driver_loaded() {
    for (Event& event : events_) event.before_driver_load = true;
  }

  std::vector<Event> finish() {
    std::set<Key> seen;
    for (const auto& [key, place] : places_) seen.insert(key);
    for (const auto& [finding, line] : notices_)
      if (!seen.contains(key_of(finding))) add(finding, line);
    return std::move(events_);
  }

 private:
  std::vector<Event> events_;
  std::map<Key, std::size_t> places_;
  std::vector<std::pair<Finding, Line>> notices_;
};

std::optional<Finding> detect(std::string_view message) {
  for (const auto& detectors : {gpu_detectors(), machine_detectors(), device_detectors()})
    for (const Detector detector : detectors)
      if (auto finding = detector(message)) return finding;
  return std::nullopt;
}

}  // namespace

std::vector<Event> events(const Log& log) {
  Gathering gathering;
  Links links;
  for (const Line& line : log.lines) {
    if (line.message.starts_with("NVRM: loading NVIDIA UNIX ")) gathering.driver_loaded();
    if (const auto flap = links.take(line.message)) gathering.add(*flap, line);
    if (const auto finding = detect(line.message)) gathering.add(*finding, line);
    if (const auto notice = aer_notice(line.message)) gathering.announce(*notice, line);
  }
  return gathering.finish();
}

std::vector<Event> by_turns(std::vector<Event> events) {
  std::map<std::tuple<std::string_view, std::string, std::string>, std::size_t> before;
  std::vector<std::pair<std::size_t, Event>> turns;
  for (Event& event : events) {
    const std::size_t turn = before[{event.kind, event.code, event.severity}]++;
    turns.emplace_back(turn, std::move(event));
  }
  std::stable_sort(turns.begin(), turns.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Event> ordered;
  for (auto& [turn, event] : turns) ordered.push_back(std::move(event));
  return ordered;
}

}  // namespace assay::node::kernel_log
