// May users open the GPUs' device nodes? A job runs as its user, so a node that only root may open fails every job.
#include <fmt/format.h>

#include "judge/checks/gpu_detail.hpp"
#include "judge/findings.hpp"

namespace assay::judge::checks {

namespace {

constexpr std::int64_t kOthersUse = 06, kGroupUses = 060;

// What CUDA opens: each GPU, the control node, unified memory's. The fabric manager's nvidia-nvswitch0 is not for
// users.
bool users_need(const std::string& name) {
  if (name == "nvidiactl" || name == "nvidia-uvm") return true;
  return name.size() > 6 && name.starts_with("nvidia") && name.find_first_not_of("0123456789", 6) == std::string::npos;
}

std::string with_mode(const Subject& device, std::int64_t mode, const std::string& more = {}) {
  return fmt::format("{} (mode {:04o}{})", device.id(), mode, more);
}

// Says what a device node isn't to users; true if it is open to all.
bool look_at(const Snapshot& snapshot, const Subject& device, Findings& found) {
  const auto mode = snapshot.integer(device, "device.mode");
  const auto group = snapshot.integer(device, "device.gid");
  const auto ours = snapshot.boolean(device, "device.readable-by-us");
  found.rest_on({mode.observation});
  const auto only_some = [&](const std::string& words) { found.warn(words, "only some users may open " + words); };
  if (!mode) {
    found.gap(fmt::format("{}: {}", device.id(), mode.gap));
    return false;
  }
  if ((*mode & kOthersUse) == kOthersUse) return true;
  const bool for_group = (*mode & kGroupUses) == kGroupUses;
  if (ours && *ours) {
    // An access list lets in whom the mode keeps out: the user that looked, and nobody knows who else.
    found.rest_on({ours.observation});
    only_some(with_mode(device, *mode, ", open to the user that looked"));
  } else if (for_group && !group) {
    only_some(with_mode(device, *mode));
    found.gap(fmt::format("the group of {}: {}", device.id(), group.gap));
  } else if (for_group && *group != 0) {
    only_some(with_mode(device, *mode, fmt::format(", group {}", *group)));
  } else {
    found.fail(with_mode(device, *mode), "users may not open " + with_mode(device, *mode));
  }
  return false;
}

void judge_node(const Snapshot& snapshot, const Subject& node, Judgement& judgement) {
  const auto names = snapshot.list(node, "devices.nvidia");
  if (!names) return judgement.unknown(node, names);
  Findings found;
  found.rest_on({names.observation});
  std::vector<std::string> open;
  std::size_t needed = 0;
  for (const std::string& name : *names) {
    if (!users_need(name)) continue;
    ++needed;
    if (look_at(snapshot, node.child("device", name), found)) open.push_back(name);
  }
  if (needed == 0) found.gap("it has GPUs, but no device node of NVIDIA's driver was seen");
  found.say(node, {Status::pass, fmt::format("{}", fmt::join(open, ", ")), "every user may open them"}, judgement);
}

void devices_usable(const Snapshot& snapshot, Judgement& judgement) {
  gpu::for_each_node(snapshot, judgement, [&](const Subject& node) { judge_node(snapshot, node, judgement); });
}

}  // namespace

extern const Family gpu_devices = {{"orchestration.gpu-devices-usable", devices_usable}};

}  // namespace assay::judge::checks
