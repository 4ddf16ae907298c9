// NCCL on RoCE must use a RoCE v2 GID: version 1 isn't routed and often not let through. Since 2.21 NCCL finds one by
// itself; a fixed NCCL_IB_GID_INDEX must name one that every port in use really has.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "evidence/package.hpp"
#include "judge/checks/fabric_detail.hpp"
#include "judge/checks/nccl_detail.hpp"
#include "judge/findings.hpp"
#include "version/order.hpp"

namespace assay::judge::checks {

namespace {

using fabric::Port;

// NCCL_IB_HCA: names or beginnings of names, perhaps with ":port"; "^" in front excludes them, "=" asks for whole
// names.
class Filter {
 public:
  explicit Filter(std::string_view text) {
    if (text.starts_with('^')) {
      exclude_ = true;
      text.remove_prefix(1);
    }
    if (text.starts_with('=')) {
      whole_ = true;
      text.remove_prefix(1);
    }
    for (const std::string_view each : text::split(text, ','))
      if (!each.empty()) names_.emplace_back(each);
  }

  bool takes(const Port& port) const {
    if (names_.empty()) return true;
    const bool named = std::any_of(names_.begin(), names_.end(), [&](const std::string& each) {
      const auto colon = each.find(':');
      const std::string name = each.substr(0, colon);
      if (colon != std::string::npos && each.substr(colon + 1) != port.subject.id()) return false;
      return whole_ ? port.hca.id() == name : port.hca.id().starts_with(name);
    });
    return named != exclude_;
  }

 private:
  bool exclude_ = false;
  bool whole_ = false;
  std::vector<std::string> names_;
};

// The node's ports that NCCL may use: active, or not seen to be otherwise.
struct Fabric {
  std::vector<Port> roce;
  std::vector<Port> other;  // InfiniBand, or a cloud's own (EFA says Unspecified)
  std::vector<std::pair<Port, std::string>> unread;
  std::vector<const Observation*> basis;

  bool empty() const { return roce.empty() && other.empty() && unread.empty(); }
};

Fabric look(const Snapshot& snapshot, const Subject& node) {
  Fabric fabric;
  for (const Port& port : fabric::ports_of(snapshot, node)) {
    const auto state = snapshot.text(port.subject, "port.state");
    const auto layer = snapshot.text(port.subject, "port.link-layer");
    if (state && *state != "ACTIVE") continue;
    fabric.basis.insert(fabric.basis.end(), {state.observation, layer.observation});
    if (!state || !layer) {
      fabric.unread.emplace_back(port, !state ? state.gap : layer.gap);
    } else {
      (*layer == "Ethernet" ? fabric.roce : fabric.other).push_back(port);
    }
  }
  return fabric;
}

// Leaves those that NCCL is told to use.
void choose(const nccl::Setting& setting, Fabric& fabric) {
  const Filter filter(setting.value);
  for (auto* ports : {&fabric.roce, &fabric.other})
    std::erase_if(*ports, [&](const Port& port) { return !filter.takes(port); });
  std::erase_if(fabric.unread, [&](const auto& unread) { return !filter.takes(unread.first); });
  fabric.basis.push_back(setting.observation);
}

// False if it has been said why there is nothing to judge.
bool roce_ports(const Snapshot& snapshot, const Subject& node, Fabric& fabric, Judgement& judgement) {
  const auto filters = nccl::settings(snapshot, node, "NCCL_IB_HCA");
  const bool any = !fabric.empty();
  if (!filters.empty()) choose(filters.front(), fabric);
  if (!fabric.roce.empty()) return true;
  if (!any) {
    judgement.unknown(node, "none of its ports is active");
  } else if (fabric.empty()) {
    judgement.fail(node, filters.front().words(), "it names none of the node's active RDMA ports", fabric.basis);
  } else if (!fabric.unread.empty()) {
    judgement.unknown(node, fabric.unread.front().second, fabric.basis);
  } else {
    judgement.not_applicable(
        node, fmt::format("{} and the others that NCCL may use aren't RoCE", fabric.other.front().name), fabric.basis);
  }
  return false;
}

bool is_version_2(const std::string& gid) { return gid.find(" RoCE v2") != std::string::npos; }

// A system-wide NCCL that is too old to choose by itself.
void look_for_old_nccl(const Snapshot& snapshot, const Subject& node, Findings& found) {
  struct Manager {
    const char* list;
    const char* name;
    version::Scheme scheme;
  };
  for (const auto& [list, name, scheme] : {Manager{"packages.dpkg", "libnccl2", version::Scheme::dpkg},
                                           Manager{"packages.rpm", "libnccl", version::Scheme::rpm}}) {
    const auto packages = snapshot.list(node, list);
    found.rest_on({packages.observation});
    if (!packages && !packages.missing()) found.gap("whether an old NCCL is installed: " + packages.gap);
    for (const std::string& entry : packages.value.value_or(TextList())) {
      const auto package = package_from(entry);
      if (!package || package->name != name) continue;
      const auto order = version::compare(scheme, package->version, "2.21");
      if (order == version::Order::incomparable) {
        found.gap(fmt::format("NCCL's version \"{}\" can't be read", package->version));
      } else if (order == version::Order::less) {
        found.warn(fmt::format("NCCL_IB_GID_INDEX unset, NCCL {}", package->version),
                   "the system's NCCL is older than 2.21 and takes GID 0 unless told otherwise");
      }
    }
  }
}

// What each port's GIDs are to `look`; the ports that weren't seen are a gap.
template <class Look>
Findings look_at_gids(const Snapshot& snapshot, const Fabric& fabric, Look look) {
  Findings found;
  found.rest_on(fabric.basis);
  if (!fabric.unread.empty()) found.gap(fabric.unread.front().second);
  for (const Port& port : fabric.roce) {
    const auto gids = snapshot.record(port.subject, "port.gids");
    found.rest_on({gids.observation});
    if (gids) {
      look(port, *gids, found);
    } else {
      found.gap(gids.gap);
    }
  }
  return found;
}

// No index is set, as far as was seen (`gap`): NCCL looks for a RoCE v2 GID by itself, on the ports that it is told to
// use; what wasn't read may leave a port out.
void judge_unset(const Snapshot& snapshot, const Subject& node, const Fabric& fabric, const std::string& gap,
                 Judgement& judgement) {
  const bool told_ports = !nccl::settings(snapshot, node, "NCCL_IB_HCA").empty();
  Findings found = look_at_gids(snapshot, fabric, [&](const Port& port, const Record& gids, Findings& all) {
    if (std::any_of(gids.begin(), gids.end(), [](const auto& gid) { return is_version_2(gid.second); })) return;
    if (!gap.empty() && !told_ports) {
      all.gap(fmt::format("{} has no RoCE v2 GID, but whether NCCL is to use it was not seen: {}", port.name, gap));
    } else {
      all.fail(fmt::format("{} has no RoCE v2 GID", port.name),
               "NCCL finds no RoCE v2 GID on a port that it would use");
    }
  });
  // Told an index by what wasn't read, an old NCCL may be right.
  if (gap.empty()) {
    look_for_old_nccl(snapshot, node, found);
  } else {
    found.gap(gap);
  }
  found.say(
      node,
      {Status::pass, "NCCL_IB_GID_INDEX unset", "NCCL 2.21 and newer choose a RoCE v2 GID, and every port has one"},
      judgement);
}

void judge_index(const Snapshot& snapshot, const Subject& node, const Fabric& fabric, const nccl::Setting& setting,
                 Judgement& judgement) {
  Findings found = look_at_gids(snapshot, fabric, [&](const Port& port, const Record& gids, Findings& all) {
    const auto gid = gids.find(setting.value);
    if (gid == gids.end()) {
      all.fail(setting.words(), fmt::format("{} has no GID of the index that {} names", port.name, setting.words()));
    } else if (gid->second.find("RoCE") == std::string::npos) {
      all.gap(fmt::format("of which type that GID of {} is was not seen", port.name));
    } else if (!is_version_2(gid->second)) {
      all.fail(setting.words(), fmt::format("{} names what on {} is {}", setting.words(), port.name, gid->second));
    }
  });
  found.rest_on({setting.observation});
  found.say(node, {Status::pass, setting.words(), "it names a RoCE v2 GID on every port in use"}, judgement);
}

void judge_node(const Snapshot& snapshot, const Subject& node, Judgement& judgement) {
  if (const auto gpus = snapshot.integer(node, "gpu.count"); gpus && *gpus == 0)
    return judgement.not_applicable(node, "the node has no GPU", {gpus.observation});
  if (fabric::without_rdma(snapshot, node, judgement)) return;
  for (const char* name : {"NCCL_IB_HCA", "NCCL_IB_GID_INDEX"})
    if (const auto set = nccl::settings(snapshot, node, name); !set.empty() && !set.front().sure)
      return judgement.unknown(node, "whether that condition holds isn't known: " + set.front().words(),
                               {set.front().observation});
  Fabric fabric = look(snapshot, node);
  if (!roce_ports(snapshot, node, fabric, judgement)) return;
  const auto index = nccl::settings(snapshot, node, "NCCL_IB_GID_INDEX");
  const nccl::Sight sight = nccl::sight(snapshot, node);
  fabric.basis.insert(fabric.basis.end(), sight.basis.begin(), sight.basis.end());
  if (sight.gap) fabric.basis.push_back(sight.gap->observation);
  if (!index.empty() && index.front().value != "-1")
    return judge_index(snapshot, node, fabric, index.front(), judgement);
  judge_unset(snapshot, node, fabric, index.empty() && sight.gap ? sight.gap->gap : "", judgement);
}

void nccl_conf_roce(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& node : snapshot.nodes()) judge_node(snapshot, node, judgement);
}

}  // namespace

extern const Family nccl_roce = {{"networking.nccl-conf-roce", nccl_conf_roce}};

}  // namespace assay::judge::checks
