// May users open the GPUs' device nodes? A job runs as its user, so a node that only root may open fails every job.
#include <fmt/format.h>

#include <algorithm>

#include "judge/checks/gpu_detail.hpp"

namespace assay::judge::checks {

namespace {

constexpr std::int64_t kOthersUse = 06, kGroupUses = 060;

// What CUDA opens: each GPU, the control node, unified memory's. The fabric manager's nvidia-nvswitch0 is not for
// users.
bool users_need(const std::string& name) {
  if (name == "nvidiactl" || name == "nvidia-uvm") return true;
  return name.size() > 6 && name.starts_with("nvidia") && name.find_first_not_of("0123456789", 6) == std::string::npos;
}

struct Nodes {
  std::vector<std::string> open, closed, for_group, unread;
  std::vector<const Observation*> basis;
};

void sort_in(const Snapshot& snapshot, const Subject& device, Nodes& nodes) {
  const auto mode = snapshot.integer(device, "device.mode");
  const auto group = snapshot.integer(device, "device.gid");
  const auto ours = snapshot.boolean(device, "device.readable-by-us");
  nodes.basis.push_back(mode.observation);
  if (!mode) {
    nodes.unread.push_back(fmt::format("{}: {}", device.id(), mode.gap));
  } else if ((*mode & kOthersUse) == kOthersUse) {
    nodes.open.push_back(device.id());
  } else if (ours && *ours) {
    // An access list lets in whom the mode keeps out: the user that looked, and nobody knows who else.
    nodes.basis.push_back(ours.observation);
    nodes.for_group.push_back(fmt::format("{} (mode {:04o}, open to the user that looked)", device.id(), *mode));
  } else if ((*mode & kGroupUses) == kGroupUses && group && *group != 0) {
    nodes.for_group.push_back(fmt::format("{} (mode {:04o}, group {})", device.id(), *mode, *group));
  } else {
    nodes.closed.push_back(fmt::format("{} (mode {:04o})", device.id(), *mode));
  }
}

void judge_node(const Snapshot& snapshot, const Subject& node, Judgement& judgement) {
  const auto names = snapshot.list(node, "devices.nvidia");
  if (!names) return judgement.unknown(node, names);
  Nodes nodes;
  nodes.basis.push_back(names.observation);
  for (const std::string& name : *names)
    if (users_need(name)) sort_in(snapshot, node.child("device", name), nodes);
  const auto listed = [](const std::vector<std::string>& items) { return fmt::format("{}", fmt::join(items, ", ")); };
  if (!nodes.closed.empty())
    return judgement.fail(node, listed(nodes.closed), "users may not open " + listed(nodes.closed), nodes.basis);
  if (!nodes.unread.empty()) return judgement.unknown(node, nodes.unread.front(), nodes.basis);
  if (!nodes.for_group.empty())
    return judgement.warn(node, listed(nodes.for_group), "only some users may open " + listed(nodes.for_group),
                          nodes.basis);
  if (nodes.open.empty())
    return judgement.unknown(node, "it has GPUs, but no device node of NVIDIA's driver was seen", nodes.basis);
  judgement.pass(node, listed(nodes.open), "every user may open them", nodes.basis);
}

void devices_usable(const Snapshot& snapshot, Judgement& judgement) {
  gpu::for_each_node(snapshot, judgement, [&](const Subject& node) { judge_node(snapshot, node, judgement); });
}

}  // namespace

extern const Family gpu_devices = {{"orchestration.gpu-devices-usable", devices_usable}};

}  // namespace assay::judge::checks
