// Network file systems: the same on every node, and answering.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "judge/checks/exports_detail.hpp"
#include "judge/findings.hpp"
#include "judge/majority.hpp"

namespace assay::judge::checks {

namespace {

using Basis = std::vector<const Observation*>;

struct Mounted {
  Subject node;
  Export from;
  Reading<bool> read_only;
  Reading<TextList> options;
};

Mounted mounted_on(const Snapshot& snapshot, const Subject& node, const std::string& point) {
  const Subject mount = node.child("mount", point);
  return {node,
          {snapshot.text(mount, "mount.type"), snapshot.text(mount, "mount.source"),
           snapshot.text(mount, "mount.identity")},
          snapshot.boolean(mount, "mount.read-only"),
          snapshot.list(mount, "mount.options")};
}

// Options that decide how it behaves when a server is slow or gone, and which way the bytes go.
std::optional<std::string> manners_of(const Mounted& mounted) {
  if (!mounted.options) return std::nullopt;
  constexpr std::array<std::string_view, 5> kKeys{"hard", "soft", "vers=", "proto=", "flock"};
  std::vector<std::string> found;
  for (const std::string& option : *mounted.options)
    if (std::any_of(kKeys.begin(), kKeys.end(), [&](std::string_view key) { return option.starts_with(key); }))
      found.push_back(option);
  if (found.empty()) return "by default options";
  std::sort(found.begin(), found.end());
  return fmt::format("{}", fmt::join(found, ","));
}

std::optional<std::string> writing_of(const Mounted& mounted) {
  if (!mounted.read_only) return std::nullopt;
  return *mounted.read_only ? "read-only" : "read-write";
}

using Points = std::map<std::string, std::vector<Mounted>>;  // mount point → where it is mounted

// All mount points, compared over the nodes that told theirs. Findings are collected by node, so that each gets one
// verdict. A node that told nothing may mount any of them in any way, so it counts among those of which most are asked.
class Comparison {
 public:
  Comparison(const Snapshot& snapshot, Judgement& judgement) : snapshot_(snapshot), judgement_(judgement) {}

  void run() {
    for (const Subject& node : snapshot_.nodes()) gather(node);
    // What an automounter brings comes and goes with its use.
    for (const std::string& point : on_demand_) points_.erase(point);
    for (const auto& [point, mounted] : points_) compare(point, mounted);
    for (const Subject& node : seen_) say(node);
  }

 private:
  std::size_t unread() const { return snapshot_.nodes().size() - seen_.size(); }

  void gather(const Subject& node) {
    const auto points = snapshot_.list(node, "mounts.network");
    if (!points) return judgement_.unknown(node, points);
    if (snapshot_.nodes().size() == 1)
      return judgement_.not_applicable(node, "it is the only node: there is nothing to compare with",
                                       {points.observation});
    seen_.push_back(node);
    found_[node].rest_on({points.observation});
    for (const std::string& point : std::set<std::string>(points.value->begin(), points.value->end())) {
      points_[point].push_back(mounted_on(snapshot_, node, point));
      const auto on_demand = snapshot_.boolean(node.child("mount", point), "mount.on-demand");
      if (!on_demand) may_come_and_go_.insert(point);
      if (on_demand && *on_demand) on_demand_.insert(point);
    }
  }

  void compare(const std::string& point, const std::vector<Mounted>& mounted) {
    if (seen_.size() < 2) return;
    for (const Mounted& each : mounted)
      found_[each.node].rest_on({each.from.source.observation, each.read_only.observation, each.options.observation});
    compare_presence(point, mounted);
    compare_exports(point, mounted);
    compare_words(
        point, mounted, Status::fail, [](const Mounted& each) { return each.read_only.gap; }, writing_of);
    compare_words(
        point, mounted, Status::warn, [](const Mounted& each) { return each.options.gap; }, manners_of);
  }

  void compare_presence(const std::string& point, const std::vector<Mounted>& mounted) {
    const std::size_t there = mounted.size();
    const std::size_t all = snapshot_.nodes().size();
    std::vector<bool> told(seen_.size(), false);
    std::fill_n(told.begin(), there, true);
    const auto usual = majority(told, all);
    if (!usual) return say_no_usual_presence(point, mounted);
    if (mounted.size() < seen_.size() && may_come_and_go_.contains(point)) {
      for (const Subject& node : seen_)
        found_[node].gap(
            fmt::format("{} is not mounted everywhere, and whether it comes and goes was not seen", point));
      return;
    }
    std::set<Subject> has;
    for (const Mounted& each : mounted) has.insert(each.node);
    for (const Subject& node : seen_) {
      if (*usual && !has.contains(node)) {
        const std::string odd = fmt::format("{} is not mounted here, as it is on {} nodes", point, there);
        found_[node].fail(odd, odd);
      } else if (!*usual && has.contains(node)) {
        const std::string odd = fmt::format("{} is mounted on {} of {} nodes only", point, there, all);
        found_[node].warn(odd, odd);
      }
    }
  }

  void say_no_usual_presence(const std::string& point, const std::vector<Mounted>& mounted) {
    const std::size_t all = snapshot_.nodes().size();
    const bool differ = mounted.size() < seen_.size();
    for (const Subject& node : seen_)
      found_[node].gap(differ ? fmt::format("{} is mounted on {} of {} nodes, so nobody can say who is odd", point,
                                            mounted.size(), all)
                              : too_few(point, seen_.size(), all));
    if (!differ) return;
    Basis basis;
    for (const Mounted& each : mounted) basis.push_back(each.from.source.observation);
    judgement_.warn(snapshot_.cluster(), fmt::format("{} of {} nodes", mounted.size(), all),
                    fmt::format("{} is mounted on some nodes, and neither with nor without it are most of them", point),
                    basis);
  }

  static std::string too_few(const std::string& point, std::size_t told, std::size_t all) {
    return fmt::format("only {} of {} nodes told how they mount {}", told, all, point);
  }

  void compare_exports(const std::string& point, const std::vector<Mounted>& mounted) {
    std::vector<Export> exports;
    for (const Mounted& each : mounted) exports.push_back(each.from);
    const ExportGroups groups(exports);
    const auto most = groups.most(mounted.size() + unread());
    if (!most && groups.any_apart()) return say_split(point, "source", mounted);
    for (std::size_t at = 0; at < mounted.size(); ++at) {
      Findings& found = found_[mounted[at].node];
      if (!most && groups.size() == 1) {
        found.gap(too_few(point, mounted.size(), mounted.size() + unread()));
      } else if (!most) {
        found.gap(fmt::format("{} goes by several names, and whether they are one export could not be told", point));
      } else if (groups.apart(groups.of(at), *most)) {
        const std::string odd = fmt::format("{} is {}, not {}", point, exports[at].words(), groups.words(*most));
        found.fail(odd, odd);
      } else if (groups.of(at) != *most) {
        found.gap(fmt::format("whether {} ({}) is the {} of most nodes could not be told", point, exports[at].words(),
                              groups.words(*most)));
      }
    }
  }

  // One attribute as a word; `gap` says why a mount has none.
  void compare_words(const std::string& point, const std::vector<Mounted>& mounted, Status odd_is,
                     std::string (*gap)(const Mounted&), std::optional<std::string> (*word_of)(const Mounted&)) {
    std::vector<std::string> told;
    for (const Mounted& each : mounted)
      if (auto word = word_of(each)) told.push_back(std::move(*word));
    const std::size_t all = mounted.size() + unread();
    const auto most = majority(told, all);
    if (!most && std::set<std::string>(told.begin(), told.end()).size() > 1)
      return say_split(point, "way of mounting", mounted);
    for (const Mounted& each : mounted) {
      const auto word = word_of(each);
      if (!word) {
        found_[each.node].gap(gap(each));
      } else if (!most) {
        found_[each.node].gap(too_few(point, told.size(), all));
      } else if (*word != *most) {
        const std::string odd = fmt::format("{} is {}, not {}", point, *word, *most);
        found_[each.node].add({odd_is, odd, odd});
      }
    }
  }

  void say_split(const std::string& point, std::string_view what, const std::vector<Mounted>& mounted) {
    Basis basis;
    const std::string why = fmt::format("the {} of {} differs between nodes, and none has a majority", what, point);
    for (const Mounted& each : mounted) {
      basis.push_back(each.from.source.observation);
      found_[each.node].gap(why);
    }
    judgement_.warn(snapshot_.cluster(), mounted.front().from.words(), why, basis);
  }

  void say(const Subject& node) {
    Findings& found = found_[node];
    if (seen_.size() < 2) {
      found.gap("no other node told its mounts");
    } else if (points_.empty() && unread() > 0) {
      found.gap(
          fmt::format("none of {} nodes mounts a network file system of its own, but the mounts of {} weren't read",
                      seen_.size(), unread()));
    }
    const Opinion sound = points_.empty()
                              ? Opinion{Status::not_applicable, "", "no node mounts a network file system of its own"}
                              : Opinion{Status::pass, fmt::format("{} mounts", points_.size()),
                                        "its network mounts are those of the other nodes"};
    found.say(node, sound, judgement_);
  }

  const Snapshot& snapshot_;
  Judgement& judgement_;
  std::vector<Subject> seen_;
  Points points_;
  std::set<std::string> on_demand_, may_come_and_go_;
  std::map<Subject, Findings> found_;
};

void mounts_uniform(const Snapshot& snapshot, Judgement& judgement) { Comparison(snapshot, judgement).run(); }

void judge_answers(const Snapshot& snapshot, Judgement& judgement, const Subject& node) {
  const auto points = snapshot.list(node, "mounts.network");
  if (!points) return judgement.unknown(node, points);
  if (points.value->empty())
    return judgement.not_applicable(node, "no network file system is mounted here", {points.observation});
  Basis basis = {points.observation};
  std::vector<std::string> dead;
  std::string gap;
  for (const std::string& point : *points) {
    const auto answer = snapshot.text(node.child("mount", point), "mount.answer");
    basis.push_back(answer.observation);
    if (!answer || *answer == "Permission denied") {
      gap = fmt::format("{}: {}", point, answer ? *answer : answer.gap);
    } else if (*answer != "ok") {
      dead.push_back(fmt::format("{}: {}", point, *answer));
    }
  }
  if (!dead.empty())
    return judgement.fail(node, fmt::format("{}", fmt::join(dead, "; ")),
                          fmt::format("{} (programs that touch it hang or fail)", dead.front()), basis);
  if (!gap.empty()) return judgement.unknown(node, gap, basis);
  judgement.pass(node, fmt::format("{} answer", points.value->size()), "every network file system answered", basis);
}

void mounts_answer(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& node : snapshot.nodes()) judge_answers(snapshot, judgement, node);
}

}  // namespace

extern const Family network_mounts = {
    {"storage.mounts-uniform", mounts_uniform},
    {"storage.mounts-answer", mounts_answer},
};

}  // namespace assay::judge::checks
