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

// No group of homes is that of most nodes: either they differ, or too few of them could be told.
void say_undecided(const Snapshot& snapshot, Judgement& judgement, const std::vector<Home>& shared,
                   const ExportGroups& groups, std::size_t all) {
  const bool differ = groups.any_apart();
  const std::string why = differ ? "no source of homes has a majority to compare with"
                          : groups.size() > 1
                              ? "whether homes that go by several names are the same could not be told"
                              : fmt::format("only {} of {} nodes told which homes they share", shared.size(), all);
  Basis basis;
  for (const Home& home : shared) {
    basis.push_back(home.from.source.observation);
    judgement.unknown(home.node, why, home.basis());
  }
  if (differ)
    judgement.warn(snapshot.cluster(), fmt::format("{} different sources", groups.size()),
                   "homes come from different places, and none has a majority", basis);
}

// `unread`: how many nodes didn't tell whether they share homes, and so may share these or others.
void judge_shared(const Snapshot& snapshot, Judgement& judgement, const std::vector<Home>& shared, std::size_t unread) {
  if (shared.empty()) return;
  if (shared.size() == 1)
    return judgement.unknown(shared.front().node,
                             "no other node's homes were seen on a shared file system to compare with",
                             shared.front().basis());
  std::vector<Export> exports;
  for (const Home& home : shared) exports.push_back(home.from);
  const ExportGroups groups(std::move(exports));
  const std::size_t all = shared.size() + unread;
  const auto most = groups.most(all);
  if (!most) return say_undecided(snapshot, judgement, shared, groups, all);
  const std::string usual = groups.words(*most);
  for (std::size_t at = 0; at < shared.size(); ++at) {
    const Home& home = shared[at];
    if (groups.of(at) == *most) {
      judgement.pass(home.node, home.from.words(),
                     fmt::format("{} of {} nodes share these homes", groups.count(*most), all), home.basis());
    } else if (groups.apart(groups.of(at), *most)) {
      judgement.fail(
          home.node, home.from.words(),
          fmt::format("its homes are {} where {} nodes have {}", home.from.words(), groups.count(*most), usual),
          home.basis());
    } else {
      judgement.unknown(
          home.node,
          fmt::format("whether its homes ({}) are the {} of most nodes could not be told", home.from.words(), usual),
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
  std::size_t unread = 0;
  for (const Subject& node : snapshot.nodes()) {
    const Home home = home_of(snapshot, node);
    if (!home.shared) {
      ++unread;
      judgement.unknown(node, home.shared);
    } else if (snapshot.nodes().size() == 1) {
      judgement.not_applicable(node, "it is the only node: there is nobody to share homes with", home.basis());
    } else {
      (*home.shared ? shared : local).push_back(home);
    }
  }
  judge_local(judgement, local, shared);
  judge_shared(snapshot, judgement, shared, unread);
}

}  // namespace

extern const Family home = {{"storage.home-shared", home_shared}};

}  // namespace assay::judge::checks
