// Network file systems: the same on every node, and answering.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "judge/checks/exports_detail.hpp"

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
std::string manners_of(const Mounted& mounted) {
  constexpr std::array<std::string_view, 5> kKeys{"hard", "soft", "vers=", "proto=", "flock"};
  std::vector<std::string> found;
  for (const std::string& option : mounted.options.value.value_or(TextList()))
    if (std::any_of(kKeys.begin(), kKeys.end(), [&](std::string_view key) { return option.starts_with(key); }))
      found.push_back(option);
  std::sort(found.begin(), found.end());
  return fmt::format("{}", fmt::join(found, ","));
}

using Points = std::map<std::string, std::vector<Mounted>>;  // mount point → where it is mounted

// Findings of all mount points, collected by node so that each node gets one verdict.
struct Found {
  std::vector<std::string> hard;
  std::vector<std::string> mild;
  std::string undecided;
  Basis basis;
};

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
  void gather(const Subject& node) {
    const auto points = snapshot_.list(node, "mounts.network");
    if (!points) return judgement_.unknown(node, points);
    if (snapshot_.nodes().size() == 1)
      return judgement_.not_applicable(node, "it is the only node: there is nothing to compare with",
                                       {points.observation});
    seen_.push_back(node);
    found_[node].basis.push_back(points.observation);
    for (const std::string& point : *points) {
      points_[point].push_back(mounted_on(snapshot_, node, point));
      if (snapshot_.boolean(node.child("mount", point), "mount.on-demand").value.value_or(false))
        on_demand_.insert(point);
    }
  }

  void compare(const std::string& point, const std::vector<Mounted>& mounted) {
    if (seen_.size() < 2) return;
    for (const Mounted& each : mounted)
      for (const Observation* seen :
           {each.from.source.observation, each.read_only.observation, each.options.observation})
        found_[each.node].basis.push_back(seen);
    compare_presence(point, mounted);
    compare_exports(point, mounted);
    compare_words(point, mounted, &Found::hard, [](const Mounted& each) {
      return std::string(!each.read_only ? "" : *each.read_only ? "read-only" : "read-write");
    });
    compare_words(point, mounted, &Found::mild, manners_of);
  }

  void compare_presence(const std::string& point, const std::vector<Mounted>& mounted) {
    const std::size_t there = mounted.size();
    const std::size_t all = seen_.size();
    if (there == all) return;
    if (2 * there == all) return say_half(point, mounted);
    std::set<Subject> has;
    for (const Mounted& each : mounted) has.insert(each.node);
    for (const Subject& node : seen_) {
      if (2 * there > all && !has.contains(node))
        found_[node].hard.push_back(fmt::format("{} is not mounted here, as it is on {} nodes", point, there));
      if (2 * there < all && has.contains(node))
        found_[node].mild.push_back(fmt::format("{} is mounted on {} of {} nodes only", point, there, all));
    }
  }

  void compare_exports(const std::string& point, const std::vector<Mounted>& mounted) {
    std::vector<Export> exports;
    for (const Mounted& each : mounted) exports.push_back(each.from);
    const auto groups = group_exports(exports);
    if (groups.size() > 1 && 2 * groups.front().size() <= mounted.size()) return say_split(point, "source", mounted);
    const std::string usual = exports[groups.front().front()].words();
    for (std::size_t group = 1; group < groups.size(); ++group)
      for (const std::size_t at : groups[group])
        found_[mounted[at].node].hard.push_back(fmt::format("{} is {}, not {}", point, exports[at].words(), usual));
  }

  // One attribute as a word; whoever couldn't tell it ("") is not compared.
  void compare_words(const std::string& point, const std::vector<Mounted>& mounted,
                     std::vector<std::string> Found::*where, std::string (*word_of)(const Mounted&)) {
    std::map<std::string, std::size_t> counts;
    std::size_t told = 0;
    for (const Mounted& each : mounted)
      if (const std::string word = word_of(each); !word.empty()) ++counts[word], ++told;
    if (counts.size() < 2) return;
    const auto most = std::max_element(counts.begin(), counts.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (2 * most->second <= told) return say_split(point, "way of mounting", mounted);
    for (const Mounted& each : mounted)
      if (const std::string word = word_of(each); !word.empty() && word != most->first)
        (found_[each.node].*where).push_back(fmt::format("{} is {}, not {}", point, word, most->first));
  }

  void say_split(const std::string& point, std::string_view what, const std::vector<Mounted>& mounted) {
    Basis basis;
    const std::string why = fmt::format("the {} of {} differs between nodes, and none has a majority", what, point);
    for (const Mounted& each : mounted) {
      basis.push_back(each.from.source.observation);
      found_[each.node].undecided = why;
    }
    judgement_.warn(snapshot_.cluster(), mounted.front().from.words(), why, basis);
  }

  void say_half(const std::string& point, const std::vector<Mounted>& mounted) {
    Basis basis;
    for (const Mounted& each : mounted) basis.push_back(each.from.source.observation);
    for (const Subject& node : seen_)
      found_[node].undecided = fmt::format("{} is mounted on half of the nodes, so nobody can say who is odd", point);
    judgement_.warn(snapshot_.cluster(), fmt::format("{} of {} nodes", mounted.size(), seen_.size()),
                    fmt::format("{} is mounted on half of the nodes", point), basis);
  }

  void say(const Subject& node) {
    Found& found = found_[node];
    if (seen_.size() < 2) return judgement_.unknown(node, "no other node told its mounts", found.basis);
    if (points_.empty() && seen_.size() < snapshot_.nodes().size())
      return judgement_.unknown(
          node,
          fmt::format("none of {} nodes mounts a network file system of its own, but the mounts of {} weren't read",
                      seen_.size(), snapshot_.nodes().size() - seen_.size()),
          found.basis);
    if (points_.empty())
      return judgement_.not_applicable(node, "no node mounts a network file system of its own", found.basis);
    if (!found.hard.empty())
      return judgement_.fail(node, fmt::format("{}", fmt::join(found.hard, "; ")), found.hard.front(), found.basis);
    if (!found.undecided.empty()) return judgement_.unknown(node, found.undecided, found.basis);
    if (!found.mild.empty())
      return judgement_.warn(node, fmt::format("{}", fmt::join(found.mild, "; ")), found.mild.front(), found.basis);
    judgement_.pass(node, fmt::format("{} mounts", points_.size()), "its network mounts are those of the other nodes",
                    found.basis);
  }

  const Snapshot& snapshot_;
  Judgement& judgement_;
  std::vector<Subject> seen_;
  Points points_;
  std::set<std::string> on_demand_;
  std::map<Subject, Found> found_;
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
