// NCCL on RoCE must use a RoCE v2 GID: version 1 isn't routed and often not let through. Since 2.21 NCCL finds one by
// itself; a fixed NCCL_IB_GID_INDEX must name one that every port in use really has.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.hpp"
#include "judge/checks/fabric_detail.hpp"
#include "judge/checks/nccl_detail.hpp"

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

struct Fabric {
  std::vector<Port> ports;  // active RoCE ports
  std::vector<const Observation*> basis;
};

// False if it has been said why there is nothing to judge.
bool roce_ports(const Snapshot& snapshot, const Subject& node, Fabric& fabric, Judgement& judgement) {
  for (const Port& port : fabric::ports_of(snapshot, node)) {
    const auto state = snapshot.text(port.subject, "port.state");
    const auto layer = snapshot.text(port.subject, "port.link-layer");
    if (!state || !layer) {
      judgement.unknown(node, !state ? state : layer);
      return false;
    }
    if (*state != "ACTIVE") continue;
    if (*layer != "Ethernet") {  // InfiniBand, or a cloud's own (EFA says Unspecified)
      judgement.not_applicable(node,
                               fmt::format("its fabric isn't RoCE: the link layer of {} is {}", port.name, *layer),
                               {state.observation, layer.observation});
      return false;
    }
    fabric.ports.push_back(port);
    fabric.basis.push_back(layer.observation);
  }
  if (fabric.ports.empty()) judgement.unknown(node, "none of its ports is active");
  return !fabric.ports.empty();
}

// Which of the node's ports NCCL is told to use.
bool choose(const Snapshot& snapshot, const Subject& node, Fabric& fabric, Judgement& judgement) {
  const auto filters = nccl::settings(snapshot, node, "NCCL_IB_HCA");
  if (filters.empty()) return true;
  const Filter filter(filters.front().value);
  std::erase_if(fabric.ports, [&](const Port& port) { return !filter.takes(port); });
  fabric.basis.push_back(filters.front().observation);
  if (fabric.ports.empty())
    judgement.fail(node, filters.front().words(), "it names none of the node's active RDMA ports", fabric.basis);
  return !fabric.ports.empty();
}

bool is_version_2(const std::string& gid) { return gid.find(" RoCE v2") != std::string::npos; }

// A system-wide NCCL that is too old to choose by itself.
Reading<Record> old_nccl(const Snapshot& snapshot, const Subject& node) {
  for (const char* id : {"dpkg:libnccl2", "rpm:libnccl"}) {
    const auto package = snapshot.record(node.child("package", id), "package.installed");
    const auto version = package ? package.value->find("version") : Record::const_iterator();
    if (!package || version == package.value->end()) continue;
    const auto parts = text::split(version->second, '.');
    const auto major = text::integer(parts[0]);
    const auto minor = parts.size() > 1 ? text::integer(parts[1]) : std::nullopt;
    if (major && minor && (*major < 2 || (*major == 2 && *minor < 21))) return package;
  }
  return {};
}

// No index is set: NCCL looks for a RoCE v2 GID by itself.
void judge_unset(const Snapshot& snapshot, const Subject& node, const Fabric& fabric, Judgement& judgement) {
  std::vector<const Observation*> basis = fabric.basis;
  for (const Port& port : fabric.ports) {
    const auto gids = snapshot.record(port.subject, "port.gids");
    if (!gids) return judgement.unknown(node, gids);
    basis.push_back(gids.observation);
    if (std::none_of(gids.value->begin(), gids.value->end(), [](const auto& gid) { return is_version_2(gid.second); }))
      return judgement.fail(node, fmt::format("{} has no RoCE v2 GID", port.name),
                            "NCCL finds no RoCE v2 GID on a port that it would use", basis);
  }
  if (const auto old = old_nccl(snapshot, node)) {
    basis.push_back(old.observation);
    return judgement.warn(node, fmt::format("NCCL_IB_GID_INDEX unset, NCCL {}", old.value->at("version")),
                          "the system's NCCL is older than 2.21 and takes GID 0 unless told otherwise", basis);
  }
  judgement.pass(node, "NCCL_IB_GID_INDEX unset", "NCCL 2.21 and newer choose a RoCE v2 GID, and every port has one",
                 basis);
}

void judge_index(const Snapshot& snapshot, const Subject& node, const Fabric& fabric, const nccl::Setting& setting,
                 Judgement& judgement) {
  std::vector<const Observation*> basis = fabric.basis;
  basis.push_back(setting.observation);
  for (const Port& port : fabric.ports) {
    const auto gids = snapshot.record(port.subject, "port.gids");
    if (!gids) return judgement.unknown(node, gids);
    basis.push_back(gids.observation);
    const auto gid = gids.value->find(setting.value);
    if (gid == gids.value->end())
      return judgement.fail(node, setting.words(),
                            fmt::format("{} has no GID of the index that {} names", port.name, setting.words()), basis);
    if (gid->second.find("RoCE") == std::string::npos)
      return judgement.unknown(node, fmt::format("of which type that GID of {} is was not seen", port.name), basis);
    if (!is_version_2(gid->second))
      return judgement.fail(node, setting.words(),
                            fmt::format("{} names what on {} is {}", setting.words(), port.name, gid->second), basis);
  }
  judgement.pass(node, setting.words(), "it names a RoCE v2 GID on every port in use", basis);
}

void judge_node(const Snapshot& snapshot, const Subject& node, Judgement& judgement) {
  if (const auto gpus = snapshot.integer(node, "gpu.count"); gpus && *gpus == 0)
    return judgement.not_applicable(node, "the node has no GPU", {gpus.observation});
  Fabric fabric;
  if (fabric::without_rdma(snapshot, node, judgement) || !roce_ports(snapshot, node, fabric, judgement) ||
      !choose(snapshot, node, fabric, judgement))
    return;
  const auto index = nccl::settings(snapshot, node, "NCCL_IB_GID_INDEX");
  const nccl::Sight sight = nccl::sight(snapshot, node);
  if (index.empty() && sight.gap) return judgement.unknown(node, *sight.gap);
  fabric.basis.insert(fabric.basis.end(), sight.basis.begin(), sight.basis.end());
  if (index.empty() || index.front().value == "-1") return judge_unset(snapshot, node, fabric, judgement);
  judge_index(snapshot, node, fabric, index.front(), judgement);
}

void nccl_conf_roce(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& node : snapshot.nodes()) judge_node(snapshot, node, judgement);
}

}  // namespace

extern const Family nccl_roce = {{"networking.nccl-conf-roce", nccl_conf_roce}};

}  // namespace assay::judge::checks
