// PCIe links of GPUs, adapters, disks, NVSwitches and the switches above them: each runs as wide and as fast as both of
// its ends can. A Gen 4 disk in a Gen 5 slot, or an x2 chip wired by one lane, was built so and isn't degraded.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "judge/check.hpp"

namespace assay::judge::checks {

namespace {

struct End {
  Reading<double> speed;  // GT/s
  Reading<std::int64_t> width;
};

struct Link {
  Subject device;
  std::string role;
  End now;
  End own;                   // what the device could do
  std::optional<End> above;  // what the port above could do; none on a root bus

  std::vector<const Observation*> basis() const {
    std::vector<const Observation*> all = {now.speed.observation, now.width.observation, own.speed.observation,
                                           own.width.observation};
    if (above) all.insert(all.end(), {above->speed.observation, above->width.observation});
    return all;
  }
};

End end_of(const Snapshot& snapshot, const Subject& device, std::string_view suffix) {
  return {snapshot.number(device, fmt::format("pci.link-speed{}", suffix)),
          snapshot.integer(device, fmt::format("pci.link-width{}", suffix))};
}

// The lower end of a link. A root or downstream port is the upper end of the link to what is below it. Who isn't root
// can't read a port's type, but on the way down root, upstream and downstream ports take turns. Nothing where neither
// was seen.
std::optional<bool> is_lower_end(const Snapshot& snapshot, const Subject& device, const std::string& role) {
  if (role != "bridge") return true;
  if (const auto type = snapshot.text(device, "pci.port-type")) return *type == "upstream-port";
  const auto path = snapshot.list(device, "pci.path");
  if (!path) return std::nullopt;
  return path.value->size() % 2 == 1;
}

// The GPU of that address computes right now, so its link is awake.
bool is_busy(const Snapshot& snapshot, const Subject& node, const std::string& address) {
  for (const Subject& gpu : snapshot.parts(node, "gpu")) {
    const auto at = snapshot.text(gpu, "gpu.pci-address");
    const auto load = snapshot.number(gpu, "gpu.utilization");
    if (at && *at == address) return load && *load > 0;
  }
  return false;
}

std::string words(double speed, std::int64_t width) { return fmt::format("{:g} GT/s x{}", speed, width); }

void judge_full(const Snapshot& snapshot, const Subject& node, const Link& link, Judgement& judgement) {
  const double speed = link.above ? std::min(*link.own.speed, *link.above->speed) : *link.own.speed;
  const auto width = link.above ? std::min(*link.own.width, *link.above->width) : *link.own.width;
  const std::string now = words(*link.now.speed, *link.now.width);
  const std::string full = words(speed, width);
  const bool narrow = *link.now.width < width;
  if (!narrow && *link.now.speed >= speed)
    return judgement.pass(link.device, now, "the link runs as both of its ends can", link.basis());
  if (!link.above)
    return judgement.warn(
        link.device, now,
        fmt::format("the link runs at {} though the device could do {}; what its slot could isn't to be seen", now,
                    full),
        link.basis());
  if (!narrow && link.role == "gpu" && !is_busy(snapshot, node, link.device.id()))
    return judgement.unknown(link.device,
                             fmt::format("the link runs at {} of {}, which an idle GPU does to save power; look again "
                                         "under load",
                                         now, full),
                             link.basis());
  judgement.fail(link.device, now, fmt::format("the link runs at {} though both of its ends can do {}", now, full),
                 link.basis());
}

void judge_link(const Snapshot& snapshot, const Subject& node, const Link& link, Judgement& judgement) {
  // A function without a PCIe link of its own, as virtual machines have.
  if (link.now.width.missing() && link.own.width.missing())
    return judgement.not_applicable(link.device, "it has no PCIe link", {link.now.width.observation});
  for (const Reading<std::int64_t>& width : {link.now.width, link.own.width})
    if (!width) return judgement.unknown(link.device, width);
  for (const Reading<double>& speed : {link.now.speed, link.own.speed})
    if (!speed) return judgement.unknown(link.device, speed);
  if (link.above && !link.above->width) return judgement.unknown(link.device, link.above->width);
  if (link.above && !link.above->speed) return judgement.unknown(link.device, link.above->speed);
  judge_full(snapshot, node, link, judgement);
}

void judge_device(const Snapshot& snapshot, const Subject& node, const Subject& device, Judgement& judgement) {
  const auto role = snapshot.text(device, "pci.role");
  if (!role) return judgement.unknown(device, role);
  const auto lower = is_lower_end(snapshot, device, *role);
  if (!lower) return judgement.unknown(device, snapshot.list(device, "pci.path"));
  if (!*lower) return;
  const auto parent = snapshot.text(device, "pci.parent");
  if (!parent && !parent.missing()) return judgement.unknown(device, parent);
  Link link{device, *role, end_of(snapshot, device, ""), end_of(snapshot, device, "-max"), std::nullopt};
  if (parent) link.above = end_of(snapshot, node.child("pci", *parent), "-max");
  judge_link(snapshot, node, link, judgement);
}

// Nothing to judge: because there is nothing, or because it wasn't seen.
bool without_devices(const Snapshot& snapshot, const Subject& node, Judgement& judgement) {
  std::vector<const Observation*> basis;
  for (const char* name : {"pci.gpu-count", "pci.nic-count", "pci.nvme-count", "pci.nvswitch-count"}) {
    const auto count = snapshot.integer(node, name);
    if (!count && !snapshot.parts(node, "pci").empty()) return false;
    if (!count) {
      judgement.unknown(node, count);
      return true;
    }
    if (*count > 0) return false;
    basis.push_back(count.observation);
  }
  judgement.not_applicable(node, "the node has no GPU, adapter, NVMe disk or NVSwitch on its PCI bus", basis);
  return true;
}

// Devices that the node counts and didn't tell of.
void say_untold(const Snapshot& snapshot, const Subject& node, Judgement& judgement) {
  std::map<std::string, std::int64_t> told;
  for (const Subject& device : snapshot.parts(node, "pci"))
    if (const auto role = snapshot.text(device, "pci.role")) ++told[*role];
  for (const char* role : {"gpu", "nic", "nvme", "nvswitch"}) {
    const auto count = snapshot.integer(node, fmt::format("pci.{}-count", role));
    if (!count) {
      judgement.unknown(node, count);
    } else if (told[role] < *count) {
      judgement.unknown(node,
                        fmt::format("{} devices of the kind {} are on the PCI bus, but only {} were told of", *count,
                                    role, told[role]),
                        {count.observation});
    }
  }
}

void pcie_link_full(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& node : snapshot.nodes()) {
    if (without_devices(snapshot, node, judgement)) continue;
    for (const Subject& device : snapshot.parts(node, "pci")) judge_device(snapshot, node, device, judgement);
    say_untold(snapshot, node, judgement);
  }
}

}  // namespace

extern const Family pcie_link = {{"reliability.pcie-link-full", pcie_link_full}};

}  // namespace assay::judge::checks
