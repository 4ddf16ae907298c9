// Users' homes: on every node the same shared file system.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "judge/check.hpp"

namespace assay::judge::checks {

namespace {

using Basis = std::vector<const Observation*>;

struct Home {
  Subject node;
  Reading<bool> shared;
  Reading<std::string> type, source, mount, identity;

  // What a user meets: "nfs4 10.0.0.5:/home".
  std::string words() const { return fmt::format("{} {}", type.value.value_or("?"), source.value.value_or("?")); }
  Basis basis() const {
    return {shared.observation, type.observation, source.observation, mount.observation, identity.observation};
  }
};

Home home_of(const Snapshot& snapshot, const Subject& node) {
  return {node,
          snapshot.boolean(node, "home.shared"),
          snapshot.text(node, "home.type"),
          snapshot.text(node, "home.source"),
          snapshot.text(node, "home.mount"),
          snapshot.text(node, "home.identity")};
}

// One export may be reached by several addresses, or names of its server: the same folder is told by its inode and the
// time it last changed.
bool same(const Home& a, const Home& b) {
  if (a.source && b.source && *a.source == *b.source) return true;
  return a.identity && b.identity && *a.identity == *b.identity && a.type && b.type && *a.type == *b.type;
}

using Group = std::vector<const Home*>;

std::vector<Group> groups_of(const std::vector<Home>& homes) {
  std::vector<Group> groups;
  for (const Home& home : homes) {
    const auto own = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return same(*g.front(), home); });
    if (own == groups.end()) {
      groups.push_back({&home});
    } else {
      own->push_back(&home);
    }
  }
  std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.size() > b.size(); });
  return groups;
}

void judge_shared(const Snapshot& snapshot, Judgement& judgement, const std::vector<Home>& shared) {
  if (shared.empty()) return;
  const auto groups = groups_of(shared);
  const Group& most = groups.front();
  const bool split = groups.size() > 1 && 2 * most.size() <= shared.size();
  if (split) {
    Basis basis;
    for (const Home& home : shared) basis.push_back(home.source.observation);
    judgement.warn(snapshot.cluster(), fmt::format("{} different sources", groups.size()),
                   "homes come from different places, and none has a majority", basis);
  }
  for (const Group& group : groups)
    for (const Home* home : group) {
      if (split) {
        judgement.unknown(home->node, "no source of homes has a majority to compare with", home->basis());
      } else if (&group == &most) {
        judgement.pass(home->node, home->words(),
                       fmt::format("{} of {} nodes share these homes", most.size(), shared.size()), home->basis());
      } else {
        judgement.fail(
            home->node, home->words(),
            fmt::format("its homes are {} where {} nodes have {}", home->words(), most.size(), most.front()->words()),
            home->basis());
      }
    }
}

void judge_local(Judgement& judgement, const std::vector<Home>& local, const std::vector<Home>& shared) {
  for (const Home& home : local) {
    Basis basis = home.basis();
    if (!shared.empty()) basis.push_back(shared.front().source.observation);
    judgement.fail(
        home.node, home.words(),
        shared.empty()
            ? fmt::format("homes lie on this node's own {}, as on every node seen", home.mount.value.value_or("disk"))
            : fmt::format("homes lie on this node's own {}, where {} nodes have {}", home.mount.value.value_or("disk"),
                          shared.size(), shared.front().words()),
        basis);
  }
}

void home_shared(const Snapshot& snapshot, Judgement& judgement) {
  std::vector<Home> shared;
  std::vector<Home> local;
  for (const Subject& node : snapshot.nodes()) {
    const Home home = home_of(snapshot, node);
    if (!home.shared) {
      judgement.unknown(node, home.shared);
    } else if (snapshot.nodes().size() == 1) {
      judgement.not_applicable(node, "it is the only node: there is nobody to share homes with", home.basis());
    } else {
      (*home.shared ? shared : local).push_back(home);
    }
  }
  judge_local(judgement, local, shared);
  judge_shared(snapshot, judgement, shared);
}

}  // namespace

extern const Family home = {{"storage.home-shared", home_shared}};

}  // namespace assay::judge::checks
