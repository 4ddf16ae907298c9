// Network file systems: the same on every node, and answering.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "judge/check.hpp"

namespace assay::judge::checks {

namespace {

using Basis = std::vector<const Observation*>;

struct Mounted {
  Subject node;
  Reading<std::string> source, type, identity;
  Reading<bool> read_only;
  Reading<TextList> options;

  std::string words() const {
    return fmt::format("{} {} {}", type.value.value_or("?"), source.value.value_or("?"),
                       read_only.value.value_or(false) ? "read-only" : "read-write");
  }
};

Mounted mounted_on(const Snapshot& snapshot, const Subject& node, const std::string& point) {
  const Subject mount = node.child("mount", point);
  return {node,
          snapshot.text(mount, "mount.source"),
          snapshot.text(mount, "mount.type"),
          snapshot.text(mount, "mount.identity"),
          snapshot.boolean(mount, "mount.read-only"),
          snapshot.list(mount, "mount.options")};
}

// One export may be reached by several addresses (WEKA, VAST): its top folder then tells that it is the same.
bool same_export(const Mounted& a, const Mounted& b) {
  if (a.type && b.type && *a.type != *b.type) return false;
  if (a.source && b.source && *a.source == *b.source) return true;
  return a.identity && b.identity && *a.identity == *b.identity;
}

bool alike(const Mounted& a, const Mounted& b) { return same_export(a, b) && a.read_only.value == b.read_only.value; }

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
    compare_presence(point, mounted);
    const Mounted* reference = majority(mounted);
    if (reference == nullptr) return say_split(point, mounted);
    for (const Mounted& each : mounted) {
      Found& found = found_[each.node];
      found.basis.push_back(each.source.observation);
      found.basis.push_back(each.read_only.observation);
      if (!alike(each, *reference)) {
        found.hard.push_back(fmt::format("{} is {}, not {}", point, each.words(), reference->words()));
      } else if (manners_of(each) != manners_of(*reference)) {
        found.basis.push_back(each.options.observation);
        found.mild.push_back(fmt::format("{} has options {}, not {}", point, manners_of(each), manners_of(*reference)));
      }
    }
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

  static const Mounted* majority(const std::vector<Mounted>& mounted) {
    for (const Mounted& candidate : mounted) {
      const auto same =
          std::count_if(mounted.begin(), mounted.end(), [&](const Mounted& other) { return alike(candidate, other); });
      if (2 * static_cast<std::size_t>(same) > mounted.size()) return &candidate;
    }
    return nullptr;
  }

  void say_split(const std::string& point, const std::vector<Mounted>& mounted) {
    Basis basis;
    for (const Mounted& each : mounted) {
      basis.push_back(each.source.observation);
      found_[each.node].undecided = fmt::format("{} differs between nodes, and no form of it has a majority", point);
    }
    judgement_.warn(snapshot_.cluster(), mounted.front().words(),
                    fmt::format("{} differs between nodes, and no form of it has a majority", point), basis);
  }

  void say_half(const std::string& point, const std::vector<Mounted>& mounted) {
    Basis basis;
    for (const Mounted& each : mounted) basis.push_back(each.source.observation);
    for (const Subject& node : seen_)
      found_[node].undecided = fmt::format("{} is mounted on half of the nodes, so nobody can say who is odd", point);
    judgement_.warn(snapshot_.cluster(), fmt::format("{} of {} nodes", mounted.size(), seen_.size()),
                    fmt::format("{} is mounted on half of the nodes", point), basis);
  }

  void say(const Subject& node) {
    Found& found = found_[node];
    if (seen_.size() < 2) return judgement_.unknown(node, "no other node told its mounts", found.basis);
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
    return judgement.fail(node, fmt::format("{}", fmt::join(dead, "; ")), "programs that touch it hang or fail", basis);
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
