// Users' homes: on every node the same shared file system.
#include <fmt/format.h>

#include "judge/checks/exports_detail.hpp"

namespace assay::judge::checks {

namespace {

using Basis = std::vector<const Observation*>;

struct Home {
  Subject node;
  Reading<bool> shared;
  Reading<std::string> mount;
  Export from;

  Basis basis() const {
    return {shared.observation, from.type.observation, from.source.observation, mount.observation,
            from.identity.observation};
  }
};

Home home_of(const Snapshot& snapshot, const Subject& node) {
  return {node,
          snapshot.boolean(node, "home.shared"),
          snapshot.text(node, "home.mount"),
          {snapshot.text(node, "home.type"), snapshot.text(node, "home.source"), snapshot.text(node, "home.identity")}};
}

void say_split(const Snapshot& snapshot, Judgement& judgement, const std::vector<Home>& shared, std::size_t sources) {
  Basis basis;
  for (const Home& home : shared) {
    basis.push_back(home.from.source.observation);
    judgement.unknown(home.node, "no source of homes has a majority to compare with", home.basis());
  }
  judgement.warn(snapshot.cluster(), fmt::format("{} different sources", sources),
                 "homes come from different places, and none has a majority", basis);
}

void judge_shared(const Snapshot& snapshot, Judgement& judgement, const std::vector<Home>& shared) {
  if (shared.empty()) return;
  if (shared.size() == 1)
    return judgement.unknown(shared.front().node,
                             "no other node's homes were seen on a shared file system to compare with",
                             shared.front().basis());
  std::vector<Export> exports;
  for (const Home& home : shared) exports.push_back(home.from);
  const auto groups = group_exports(exports);
  const std::size_t most = groups.front().size();
  if (groups.size() > 1 && 2 * most <= shared.size()) return say_split(snapshot, judgement, shared, groups.size());
  const std::string usual = exports[groups.front().front()].words();
  for (std::size_t group = 0; group < groups.size(); ++group)
    for (const std::size_t at : groups[group]) {
      const Home& home = shared[at];
      if (group == 0) {
        judgement.pass(home.node, home.from.words(),
                       fmt::format("{} of {} nodes share these homes", most, shared.size()), home.basis());
      } else {
        judgement.fail(home.node, home.from.words(),
                       fmt::format("its homes are {} where {} nodes have {}", home.from.words(), most, usual),
                       home.basis());
      }
    }
}

void judge_local(Judgement& judgement, const std::vector<Home>& local, const std::vector<Home>& shared) {
  for (const Home& home : local) {
    Basis basis = home.basis();
    if (!shared.empty()) basis.push_back(shared.front().from.source.observation);
    judgement.fail(
        home.node, home.from.words(),
        shared.empty()
            ? fmt::format("homes lie on this node's own {}, as on every node seen", home.mount.value.value_or("disk"))
            : fmt::format("homes lie on this node's own {}, where {} nodes have {}", home.mount.value.value_or("disk"),
                          shared.size(), shared.front().from.words()),
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
