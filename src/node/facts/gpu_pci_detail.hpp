// GPUs as the PCI bus shows them, whether a driver answers for them or not: what tells a node without GPUs from one
// whose driver is broken.
#pragma once

#include <string>
#include <vector>

#include "node/host.hpp"

namespace assay::node::gpu {

struct PciGpu {
  std::string address;
  bool nvidia = false;  // otherwise AMD
  std::string driver;   // empty: none is bound
};

// Display and accelerator functions of NVIDIA and AMD under /sys/bus/pci/devices. Virtual functions that this very
// machine made for its guests aren't counted beside the card they are of.
Seen<std::vector<PciGpu>> pci_gpus(Host& host);

}  // namespace assay::node::gpu
