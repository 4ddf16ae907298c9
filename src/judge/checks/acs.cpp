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

#include "judge/findings.hpp"

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

// What kept something from being seen that the verdict needs.
struct Gap {
  std::string words;
  const Observation* observation = nullptr;
};

// Adapters that carry collectives: InfiniBand controllers, and network controllers that the RDMA stack has.
struct Adapters {
  std::vector<Device> known;
  std::optional<Gap> gap;  // there may be others
};

// The addresses of the host's RDMA devices; `gap` where one wasn't told.
std::set<std::string> rdma_of(const Snapshot& snapshot, const Subject& node, std::optional<Gap>& gap) {
  const auto names = snapshot.list(node, "hca.names");
  if (!names && !names.missing()) gap = Gap{names.gap, names.observation};
  const auto parts = snapshot.parts(node, "hca");
  std::set<Subject> hcas(parts.begin(), parts.end());
  for (const std::string& name : names.value.value_or(TextList())) hcas.insert(node.child("hca", name));
  std::set<std::string> addresses;
  for (const Subject& hca : hcas) {
    const auto address = snapshot.text(hca, "hca.pci");
    if (address) addresses.insert(*address);
    if (!address && !address.missing() && !gap)
      gap = Gap{fmt::format("which PCI device {} is: {}", hca.id(), address.gap), address.observation};
  }
  return addresses;
}

Adapters adapters_of(const Snapshot& snapshot, const Subject& node) {
  Adapters adapters;
  std::optional<Gap> unread;
  const auto rdma = rdma_of(snapshot, node, unread);
  const auto nics = devices_of(snapshot, node, "nic");
  for (const Device& nic : nics) {
    const auto code = snapshot.text(nic.subject, "pci.class");
    if (rdma.contains(nic.address) || (code && code.value->starts_with("0207"))) {
      adapters.known.push_back(nic);
    } else if (!code) {
      adapters.gap =
          Gap{fmt::format("whether {} is an InfiniBand adapter: {}", nic.address, code.gap), code.observation};
    } else if (unread) {
      adapters.gap = unread;
    }
  }
  const auto count = snapshot.integer(node, "pci.nic-count");
  if (count && static_cast<std::int64_t>(nics.size()) < *count)
    adapters.gap = Gap{fmt::format("{} adapters are on the PCI bus, but only {} were told of", *count, nics.size()),
                       count.observation};
  for (const Device& adapter : adapters.known)
    if (!adapter.path) adapters.gap = Gap{adapter.path.gap, adapter.path.observation};
  return adapters;
}

std::size_t common(const TextList& a, const TextList& b) {
  const auto end =
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())), b.begin());
  return static_cast<std::size_t>(end.first - a.begin());
}

// The bridges between a GPU and the adapters nearest to it. An adapter that wasn't seen, or not where, may be nearer
// than those that were: then only the port that the GPU itself hangs on is between for sure.
void collect(const Device& gpu, const Adapters& adapters, std::set<std::string>& between) {
  if (!gpu.path) return;
  if (adapters.gap) {
    if (!gpu.path.value->empty()) between.insert(gpu.path.value->back());
    return;
  }
  std::size_t nearest = 0;
  for (const Device& adapter : adapters.known) nearest = std::max(nearest, common(*gpu.path, *adapter.path));
  for (const Device& adapter : adapters.known) {
    if (common(*gpu.path, *adapter.path) != nearest) continue;
    const auto skip = static_cast<std::ptrdiff_t>(nearest);
    between.insert(gpu.path.value->begin() + skip, gpu.path.value->end());
    between.insert(adapter.path.value->begin() + skip, adapter.path.value->end());
  }
}

// What a hypervisor shows its guest; the real bridges are below it. Nothing where that wasn't seen.
std::optional<bool> is_emulated(const Snapshot& snapshot, const Subject& bridge) {
  const auto vendor = snapshot.text(bridge, "pci.vendor");
  if (!vendor) return std::nullopt;
  return *vendor == "1b36" || *vendor == "15ad" || *vendor == "80ee" || *vendor == "1414";
}

void look(const Snapshot& snapshot, const Subject& node, const std::string& address, Findings& found) {
  const Subject bridge = node.child("pci", address);
  const auto on = snapshot.list(bridge, "pci.acs");
  found.rest_on({on.observation});
  const auto emulated = is_emulated(snapshot, bridge);
  if (!on && !on.missing()) {
    found.gap(fmt::format("whether ACS is on at {}, between a GPU and its adapter: {}", address, on.gap));
  } else if (!emulated) {
    found.gap(fmt::format("whether {} is a real bridge was not seen", address));
  } else if (*emulated) {
    found.gap(fmt::format("{} is emulated for a virtual machine: the real bridges are the host's", address));
  }
  if (!on || on.value->empty()) return;  // a bridge without the capability can't redirect
  const bool redirects = std::any_of(on.value->begin(), on.value->end(), [](const std::string& service) {
    return service == "ReqRedir" || service == "CmpltRedir" || service == "EgressCtrl";
  });
  const std::string measured = fmt::format("{} ({})", address, fmt::join(*on, ", "));
  if (redirects) {
    found.fail(measured, fmt::format("{} redirects to the CPU what a GPU and its adapter send each other", measured));
  } else {
    found.warn(measured, fmt::format("services of ACS are on at {}, between a GPU and its adapter, though none that "
                                     "redirects",
                                     address));
  }
}

// GPUs whose memory an adapter reaches over NVLink-C2C and the CPU (Grace): no PCIe switch is between them.
bool is_chip_to_chip(const Snapshot& snapshot, const Device& gpu) {
  static const std::set<std::string> kGrace = {"2342", "2345", "2348", "2941", "31c2"};
  const auto device = snapshot.text(gpu.subject, "pci.device");
  const auto vendor = snapshot.text(gpu.subject, "pci.vendor");
  return device && vendor && *vendor == "10de" && kGrace.contains(*device);
}

std::optional<Gap> gap_of(const std::vector<Device>& gpus, const Adapters& adapters,
                          const Reading<std::int64_t>& count) {
  for (const Device& gpu : gpus)
    if (!gpu.path) return Gap{gpu.path.gap, gpu.path.observation};
  if (static_cast<std::int64_t>(gpus.size()) < *count)
    return Gap{fmt::format("{} GPUs are on the PCI bus, but only {} were told of", *count, gpus.size()),
               count.observation};
  return adapters.gap;
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
  if (adapters.known.empty() && adapters.gap)
    return judgement.unknown(node, adapters.gap->words, {adapters.gap->observation});
  if (adapters.known.empty() && names.missing())
    return judgement.not_applicable(node, "none of its adapters does RDMA", {names.observation});
  if (adapters.known.empty()) return judgement.unknown(node, "which of its adapters does RDMA was not seen");
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
  Findings found;
  if (gap) {
    found.gap(gap->words);
    found.rest_on({gap->observation});
  }
  for (const std::string& address : between) look(snapshot, node, address, found);
  found.say(node,
            {Status::pass, fmt::format("off on {} bridges", between.size()),
             "no bridge between a GPU and its adapter redirects"},
            judgement);
}

void acs_off(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& node : snapshot.nodes()) judge_node(snapshot, node, judgement);
}

}  // namespace

extern const Family acs = {{"networking.acs-off", acs_off}};

}  // namespace assay::judge::checks
