#include "node/facts/gpu_pci_detail.hpp"

#include "base/text.hpp"

namespace assay::node::gpu {

namespace {

constexpr const char* kDevices = "/sys/bus/pci/devices";
constexpr std::int64_t kNvidia = 0x10de;
constexpr std::int64_t kAmd = 0x1002;

// Class codes: 03xx is a display controller (0300 VGA, 0302 3D), 1200 a processing accelerator (AMD Instinct).
bool computes(std::int64_t class_code) { return class_code >> 16 == 0x03 || class_code >> 8 == 0x1200; }

std::string driver_of(Host& host, const std::string& device) {
  const auto link = host.link(device + "/driver");
  return link ? link->substr(link->rfind('/') + 1) : "";
}

}  // namespace

Seen<std::vector<PciGpu>> pci_gpus(Host& host) {
  const auto names = host.names(kDevices);
  if (!names) return tl::unexpected(names.error());
  // A machine may have no bus at all; a tree that was copied without what is on it looks the same.
  if (names->empty() && !host.live())
    return unseen(Absence::unsupported, "the folder of PCI devices is empty in this tree");
  std::vector<PciGpu> found;
  for (const std::string& address : *names) {
    const std::string device = std::string(kDevices) + "/" + address;
    const auto vendor = host.integer(device + "/vendor", 16);
    const auto class_code = host.integer(device + "/class", 16);
    // A device that can't be read might be a GPU: then the count isn't known.
    if (!vendor) return tl::unexpected(vendor.error());
    if (*vendor != kNvidia && *vendor != kAmd) continue;
    if (!class_code) return tl::unexpected(class_code.error());
    if (!computes(*class_code) || host.exists(device + "/physfn")) continue;
    found.push_back({text::lower(address), *vendor == kNvidia, driver_of(host, device)});
  }
  return found;
}

}  // namespace assay::node::gpu
