// PCI devices of node n1, written by hand.
#pragma once

#include "fabric.hpp"

namespace assay::testing {

struct PciFacts {
  std::string role = "bridge";
  TextList path;
  double speed = 32;
  double speed_max = 32;
  std::int64_t width = 16;
  std::int64_t width_max = 16;
  std::string port_type = "endpoint";
  std::string vendor = "1000";
  std::string device = "c030";
};

inline std::string pci_path(const std::string& address) { return node_path("n1") + "/pci/" + address; }

inline void add_pci(Observations& all, const std::string& address, const PciFacts& facts) {
  const std::string subject = pci_path(address);
  all.push_back(seen(subject, "pci.role", facts.role));
  all.push_back(seen(subject, "pci.class", facts.role == "nic" ? "020700" : "060400"));
  all.push_back(seen(subject, "pci.vendor", facts.vendor));
  all.push_back(seen(subject, "pci.device", facts.device));
  all.push_back(seen(subject, "pci.path", facts.path));
  all.push_back(facts.path.empty() ? unseen(subject, "pci.parent", Absence::missing)
                                   : seen(subject, "pci.parent", facts.path.back()));
  all.push_back(seen(subject, "pci.link-speed", facts.speed, "GT/s"));
  all.push_back(seen(subject, "pci.link-speed-max", facts.speed_max, "GT/s"));
  all.push_back(seen(subject, "pci.link-width", facts.width, "1"));
  all.push_back(seen(subject, "pci.link-width-max", facts.width_max, "1"));
  all.push_back(seen(subject, "pci.port-type", facts.port_type));
}

inline void add_counts(Observations& all, std::int64_t gpus, std::int64_t nics) {
  all.push_back(seen(node_path("n1"), "pci.gpu-count", gpus, "1"));
  all.push_back(seen(node_path("n1"), "pci.nic-count", nics, "1"));
  all.push_back(seen(node_path("n1"), "pci.nvme-count", std::int64_t{0}, "1"));
  all.push_back(seen(node_path("n1"), "pci.nvswitch-count", std::int64_t{0}, "1"));
}

// A GPU and an adapter below the ports 17:01.0 and 17:02.0 of one switch.
inline Observations one_switch() {
  Observations all;
  add_counts(all, 1, 1);
  add_pci(all, "0000:15:01.0", {.path = {}, .port_type = "root-port"});
  add_pci(all, "0000:16:00.0", {.path = {"0000:15:01.0"}, .port_type = "upstream-port"});
  const TextList up = {"0000:15:01.0", "0000:16:00.0"};
  for (const char* port : {"0000:17:01.0", "0000:17:02.0"}) {
    add_pci(all, port, {.path = up, .port_type = "downstream-port"});
    all.push_back(seen(pci_path(port), "pci.acs", TextList{}));
  }
  all.push_back(seen(pci_path("0000:15:01.0"), "pci.acs", TextList{}));
  all.push_back(unseen(pci_path("0000:16:00.0"), "pci.acs", Absence::missing));
  add_pci(all, "0000:19:00.0",
          {.role = "gpu", .path = {up[0], up[1], "0000:17:01.0"}, .vendor = "10de", .device = "2330"});
  add_pci(all, "0000:1a:00.0", {.role = "nic", .path = {up[0], up[1], "0000:17:02.0"}, .vendor = "15b3"});
  all.push_back(seen(node_path("n1"), "hca.names", TextList{"mlx5_0"}));
  return all;
}

}  // namespace assay::testing
