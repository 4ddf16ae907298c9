// Access control services on the bridges between GPUs and their adapters. A switch port that redirects sends what one
// of them writes to the other up to the CPU and back, though both sit below the same switch.
//
// Only the way between a GPU and its nearest adapters counts. Below a common switch that is the two ports that lead to
// them: what the root port above the switch does, their traffic never meets. Without a common switch it is all bridges
// on both sides. ACS on the way to a disk is nobody's harm.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "judge/check.hpp"

namespace assay::judge::checks {

namespace {

struct Device {
  Subject subject;
  std::string address;
  Reading<TextList> path;
};

std::vector<Device> devices_of(const Snapshot& snapshot, const Subject& node, std::string_view role) {
  std::vector<Device> found;
  for (const Subject& device : snapshot.parts(node, "pci")) {
    const auto seen = snapshot.text(device, "pci.role");
    if (seen && *seen == role) found.push_back({device, device.id(), snapshot.list(device, "pci.path")});
  }
  return found;
}

// Adapters that carry collectives: InfiniBand controllers, and network controllers that the RDMA stack has.
std::vector<Device> adapters_of(const Snapshot& snapshot, const Subject& node) {
  std::set<std::string> rdma;
  for (const Subject& hca : snapshot.parts(node, "hca"))
    if (const auto address = snapshot.text(hca, "hca.pci")) rdma.insert(*address);
  std::vector<Device> found = devices_of(snapshot, node, "nic");
  std::erase_if(found, [&](const Device& device) {
    const auto code = snapshot.text(device.subject, "pci.class");
    return !rdma.contains(device.address) && !(code && code.value->starts_with("0207"));
  });
  return found;
}

std::size_t common(const TextList& a, const TextList& b) {
  const auto end =
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())), b.begin());
  return static_cast<std::size_t>(end.first - a.begin());
}

// The bridges between a GPU and the adapters nearest to it. An adapter whose place wasn't read may be nearer than those
// that were: then only the port that the GPU itself hangs on is between for sure.
void collect(const Device& gpu, const std::vector<Device>& adapters, std::set<std::string>& between) {
  if (!gpu.path) return;
  if (std::any_of(adapters.begin(), adapters.end(), [](const Device& adapter) { return !adapter.path; })) {
    if (!gpu.path.value->empty()) between.insert(gpu.path.value->back());
    return;
  }
  std::size_t nearest = 0;
  for (const Device& adapter : adapters) nearest = std::max(nearest, common(*gpu.path, *adapter.path));
  for (const Device& adapter : adapters) {
    if (common(*gpu.path, *adapter.path) != nearest) continue;
    const auto skip = static_cast<std::ptrdiff_t>(nearest);
    between.insert(gpu.path.value->begin() + skip, gpu.path.value->end());
    between.insert(adapter.path.value->begin() + skip, adapter.path.value->end());
  }
}

struct Ports {
  std::vector<std::string> redirecting;  // bridge and its services
  std::vector<std::string> other;        // on, but none that redirects
  std::vector<Reading<TextList>> unread;
  std::vector<std::string> emulated;
  std::vector<const Observation*> basis;
};

// What a hypervisor shows its guest; the real bridges are below it.
bool is_emulated(const Snapshot& snapshot, const Subject& bridge) {
  const auto vendor = snapshot.text(bridge, "pci.vendor");
  return vendor && (*vendor == "1b36" || *vendor == "15ad" || *vendor == "80ee" || *vendor == "1414");
}

Ports look(const Snapshot& snapshot, const Subject& node, const std::set<std::string>& between) {
  Ports ports;
  for (const std::string& address : between) {
    const Subject bridge = node.child("pci", address);
    const auto on = snapshot.list(bridge, "pci.acs");
    ports.basis.push_back(on.observation);
    if (is_emulated(snapshot, bridge)) ports.emulated.push_back(address);
    if (!on && !on.missing()) ports.unread.push_back(on);
    if (!on || on.value->empty()) continue;  // a bridge without the capability can't redirect
    const bool redirects = std::any_of(on.value->begin(), on.value->end(), [](const std::string& service) {
      return service == "ReqRedir" || service == "CmpltRedir" || service == "EgressCtrl";
    });
    (redirects ? ports.redirecting : ports.other).push_back(fmt::format("{} ({})", address, fmt::join(*on, ", ")));
  }
  return ports;
}

// What kept the ways between GPUs and adapters from being seen whole; it counts only where nothing bad is proven.
struct Gap {
  std::string words;
  const Observation* observation = nullptr;
};

void judge_ports(const Subject& node, const Ports& ports, std::size_t count, const std::optional<Gap>& gap,
                 Judgement& judgement) {
  const auto shown = [](std::vector<std::string> names) {
    constexpr std::size_t kMost = 8;
    const std::size_t left = names.size() - std::min(kMost, names.size());
    names.resize(std::min(kMost, names.size()));
    return fmt::format("{}{}", fmt::join(names, "; "), left > 0 ? fmt::format("; and {} more", left) : "");
  };
  if (!ports.redirecting.empty())
    return judgement.fail(node, shown(ports.redirecting),
                          fmt::format("{} of {} bridges between GPUs and their adapters redirect peers' traffic to "
                                      "the CPU, the first being {}",
                                      ports.redirecting.size(), count, ports.redirecting.front()),
                          ports.basis);
  if (gap) return judgement.unknown(node, gap->words, {gap->observation});
  if (!ports.unread.empty())
    return judgement.unknown(node,
                             fmt::format("of {} of {} bridges between GPUs and adapters ACS could not be seen ({})",
                                         ports.unread.size(), count, ports.unread.front().gap),
                             ports.basis);
  if (!ports.emulated.empty())
    return judgement.unknown(
        node,
        fmt::format("{} is emulated for a virtual machine: the real bridges are the host's", ports.emulated.front()),
        ports.basis);
  if (!ports.other.empty())
    return judgement.warn(node, shown(ports.other),
                          "services of ACS are on between GPUs and adapters, though none that redirects", ports.basis);
  judgement.pass(node, fmt::format("off on {} bridges", count), "no bridge between a GPU and its adapter redirects",
                 ports.basis);
}

// GPUs whose memory an adapter reaches over NVLink-C2C and the CPU (Grace): no PCIe switch is between them.
bool is_chip_to_chip(const Snapshot& snapshot, const Device& gpu) {
  static const std::set<std::string> kGrace = {"2342", "2345", "2348", "2941", "31c2"};
  const auto device = snapshot.text(gpu.subject, "pci.device");
  const auto vendor = snapshot.text(gpu.subject, "pci.vendor");
  return device && vendor && *vendor == "10de" && kGrace.contains(*device);
}

std::optional<Gap> gap_of(const std::vector<Device>& gpus, const std::vector<Device>& adapters,
                          const Reading<std::int64_t>& count) {
  for (const auto* devices : {&gpus, &adapters})
    for (const Device& device : *devices)
      if (!device.path) return Gap{device.path.gap, device.path.observation};
  if (static_cast<std::int64_t>(gpus.size()) < *count)
    return Gap{fmt::format("{} GPUs are on the PCI bus, but only {} were told of", *count, gpus.size()),
               count.observation};
  return std::nullopt;
}

void judge_node(const Snapshot& snapshot, const Subject& node, Judgement& judgement) {
  for (const auto& [name, what] : {std::pair("pci.gpu-count", "GPU"), std::pair("pci.nic-count", "adapter")}) {
    const auto count = snapshot.integer(node, name);
    if (!count) return judgement.unknown(node, count);
    if (*count == 0)
      return judgement.not_applicable(node, fmt::format("the node has no {} on its PCI bus", what),
                                      {count.observation});
  }
  const auto names = snapshot.list(node, "hca.names");
  const auto adapters = adapters_of(snapshot, node);
  if (adapters.empty() && names.missing())
    return judgement.not_applicable(node, "none of its adapters does RDMA", {names.observation});
  if (adapters.empty()) return judgement.unknown(node, "which of its adapters does RDMA was not seen");
  const auto gpus = devices_of(snapshot, node, "gpu");
  std::set<std::string> between;
  for (const Device& gpu : gpus) {
    if (is_chip_to_chip(snapshot, gpu))
      return judgement.not_applicable(node, "adapters reach its GPUs through the CPU, not through PCIe bridges",
                                      {snapshot.find(gpu.subject, "pci.device")});
    collect(gpu, adapters, between);
  }
  const auto gap = gap_of(gpus, adapters, snapshot.integer(node, "pci.gpu-count"));
  if (between.empty() && !gap)
    return judgement.unknown(node,
                             "no bridge is to be seen between its GPUs and adapters, as in a virtual machine: "
                             "the real ones are the host's",
                             {gpus.front().path.observation});
  judge_ports(node, look(snapshot, node, between), between.size(), gap, judgement);
}

void acs_off(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& node : snapshot.nodes()) judge_node(snapshot, node, judgement);
}

}  // namespace

extern const Family acs = {{"networking.acs-off", acs_off}};

}  // namespace assay::judge::checks
