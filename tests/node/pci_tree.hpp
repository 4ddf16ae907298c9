// PCI devices in a folder tree, with configuration spaces laid out as the PCI Express base specification has them.
#pragma once

#include <string>

#include "testing.hpp"

namespace assay::testing {

struct PciKind {
  std::string class_code = "0x060400";
  std::string vendor = "0x1000";
  std::string device = "0xc030";
  int port_type = 6;  // 0 endpoint, 4 root port, 5 upstream port, 6 downstream port
  int generation = 5;
  int width = 16;
  int acs = -1;  // control bits; -1: no such capability
  bool ats = false;
};

inline PciKind gpu() { return {"0x030200", "0x10de", "0x2330", 0, 5, 16, -1, false}; }
inline PciKind nic() { return {"0x020700", "0x15b3", "0x1021", 0, 5, 16, -1, true}; }
inline PciKind root_port(int acs = 0) { return {"0x060400", "0x8086", "0x352a", 4, 5, 16, acs, false}; }
inline PciKind upstream_port() { return {"0x060400", "0x1000", "0xc030", 5, 5, 16, -1, false}; }
inline PciKind downstream_port(int acs = 0) { return {"0x060400", "0x1000", "0xc030", 6, 5, 16, acs, false}; }

std::string config_space(const PciKind& kind);

// `path` is below /sys/devices: "pci0000:15/0000:15:01.0". `config` is how many bytes of configuration space there are.
void add_pci(const TemporaryFolder& tree, const std::string& path, const PciKind& kind, std::size_t config = 4096);

}  // namespace assay::testing
