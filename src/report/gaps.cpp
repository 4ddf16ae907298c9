#include "report/gaps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/text.hpp"
#include "report/fold.hpp"

namespace assay::report {

namespace {

constexpr const char* kAgentStep = "agent";
constexpr const char* kAnswered = "agent.answered";

bool natural_order(const Subject& a, const Subject& b) { return text::natural_less(a.path(), b.path()); }

// What both belong to.
Subject common(Subject a, const Subject& b) {
  while (!a.empty() && !b.within(a)) a = a.parent();
  return a;
}

// How each step of a host ended, as far as it ended badly.
using Failures = std::map<std::pair<std::string, std::string>, std::string>;  // host, step → detail

Failures failures_of(const std::vector<Store::StepEnd>& steps) {
  Failures failures;
  for (const Store::StepEnd& step : steps)
    if (!step.detail.empty() || step.state == StepState::failed) failures[{step.key.host, step.key.name}] = step.detail;
  return failures;
}

class Finder {
 public:
  explicit Finder(const GapSources& sources) : from_(sources), failures_(failures_of(sources.steps)) {
    for (const Store::StepEnd& step : from_.steps) asked_.insert(step.key.host);
    for (const Observation& o : from_.observations)
      if (const Absent* absent = o.absent(); absent != nullptr && o.name == kAnswered)
        silent_.emplace(o.subject.path(), *absent);
  }

  std::vector<Gap> find() {
    hosts();
    steps();
    artifacts();
    observations();
    return std::move(gaps_);
  }

 private:
  void hosts() {
    for (const Subject& host : from_.hosts) {
      if (const auto found = silent_.find(host.path()); found != silent_.end()) {
        gaps_.push_back({Gap::Of::host,
                         host,
                         kAgentStep,
                         std::string(name_of(found->second.reason)),
                         found->second.detail,
                         {host}});
      } else if (!asked_.contains(host.path())) {
        gaps_.push_back(
            {Gap::Of::host, host, kAgentStep, "unasked", "the run was stopped before this host was asked", {host}});
      }
    }
  }

  // A host that fell silent midway has lost only some of its steps; those are told by the host's own gap.
  void steps() {
    for (const Store::StepEnd& step : from_.steps) {
      const auto failed = failures_.find({step.key.host, step.key.name});
      if (failed == failures_.end() || step.key.name == kAgentStep || silent_.contains(step.key.host)) continue;
      const auto host = Subject::parse(step.key.host);
      if (!host) continue;
      gaps_.push_back({Gap::Of::step, *host, step.key.name, reason_of(step), step.detail, {*host}});
    }
    const auto begin = std::find_if(gaps_.begin(), gaps_.end(), [](const Gap& gap) { return gap.of == Gap::Of::step; });
    std::stable_sort(begin, gaps_.end(), [](const Gap& a, const Gap& b) {
      return a.name != b.name ? a.name < b.name : natural_order(a.subject, b.subject);
    });
  }

  void artifacts() {
    std::map<Subject, std::set<std::string_view>> by_host;
    for (const Observation& o : from_.observations)
      if (from_.lost.contains(o.artifact)) by_host[host_of(o.subject)].insert(o.artifact);
    for (const auto& [host, lost] : by_host)
      gaps_.push_back({Gap::Of::artifact,
                       host,
                       "raw output",
                       "missing",
                       fmt::format("{} of its raw outputs that were recorded can no longer be read", lost.size()),
                       {host}});
  }

  // A step has words but no reason of its own; what was recorded absent because of it has one.
  std::string reason_of(const Store::StepEnd& step) {
    if (reasons_.empty()) {
      for (const Observation& o : from_.observations)
        if (const Absent* absent = o.absent())
          reasons_.try_emplace({host_of(o.subject).path(), absent->detail}, name_of(absent->reason));
    }
    const auto found = reasons_.find({step.key.host, step.detail});
    return found != reasons_.end() ? std::string(found->second) : "malformed";
  }

  bool told_already(const Observation& o, const Absent& absent) const {
    const std::string host = host_of(o.subject).path();
    if (const auto silent = silent_.find(host); silent != silent_.end() && silent->second.detail == absent.detail)
      return true;
    for (auto at = failures_.lower_bound({host, ""}); at != failures_.end() && at->first.first == host; ++at)
      if (at->second == absent.detail && !absent.detail.empty()) return true;
    return false;
  }

  void observations() {
    std::map<std::tuple<Absence, std::string, std::string>, std::vector<Subject>> groups;  // reason, name, detail
    for (const Observation& o : from_.observations) {
      const Absent* absent = o.absent();
      if (absent == nullptr || o.name == kAnswered) continue;
      if (absent->reason == Absence::missing && !from_.needed.contains(o.id)) continue;
      if (!told_already(o, *absent)) groups[{absent->reason, o.name, absent->detail}].push_back(o.subject);
    }
    for (auto& [key, subjects] : groups) {
      const auto& [reason, name, detail] = key;
      std::sort(subjects.begin(), subjects.end(), natural_order);
      Subject all = subjects.front();
      for (const Subject& subject : subjects) all = common(all, subject);
      gaps_.push_back({Gap::Of::observation, all, name, std::string(name_of(reason)), detail, std::move(subjects)});
    }
  }

  const GapSources& from_;
  Failures failures_;
  std::set<std::string> asked_;
  std::map<std::string, Absent> silent_;  // by host
  std::map<std::pair<std::string, std::string>, std::string_view> reasons_;
  std::vector<Gap> gaps_;
};

}  // namespace

std::vector<Gap> find_gaps(const GapSources& sources) { return Finder(sources).find(); }

}  // namespace assay::report
