#include "pci_tree.hpp"

namespace assay::testing {

namespace {

void put(std::string& space, std::size_t at, std::size_t length, unsigned value) {
  for (std::size_t i = 0; i < length; ++i) space[at + i] = static_cast<char>(value >> (8 * i) & 0xff);
}

}  // namespace

std::string config_space(const PciKind& kind) {
  std::string space(4096, '\0');
  const auto number = [](const std::string& text) { return static_cast<unsigned>(std::stoul(text, nullptr, 16)); };
  const auto link = static_cast<unsigned>(kind.generation | kind.width << 4);
  put(space, 0x00, 2, number(kind.vendor));
  put(space, 0x02, 2, number(kind.device));
  put(space, 0x06, 2, 0x10);
  put(space, 0x34, 1, 0x40);
  put(space, 0x40, 2, 0x5001);  // power management, then PCI Express at 0x50
  put(space, 0x50, 2, 0x0010);
  put(space, 0x52, 2, static_cast<unsigned>(2 | kind.port_type << 4));
  put(space, 0x5c, 4, link);
  put(space, 0x62, 2, link);
  put(space, 0x100, 4, 0x14810001);  // error reporting, then 0x148
  put(space, 0x148, 4, kind.acs >= 0 ? 0x2001000d : 0x20010000);
  if (kind.acs >= 0) {
    put(space, 0x14c, 2, 0x5f);
    put(space, 0x14e, 2, static_cast<unsigned>(kind.acs));
  }
  put(space, 0x200, 4, kind.ats ? 0x0001000f : 0x00010019);
  if (kind.ats) put(space, 0x206, 2, 0x8000);
  return space;
}

void add_pci(const TemporaryFolder& tree, const std::string& path, const PciKind& kind, std::size_t config) {
  constexpr const char* kSpeeds[] = {"", "2.5", "5.0", "8.0", "16.0", "32.0", "64.0"};
  const std::string folder = "/sys/devices/" + path + "/";
  const std::string speed = std::string(kSpeeds[kind.generation]) + " GT/s PCIe\n";
  tree.write(folder + "class", kind.class_code + "\n");
  tree.write(folder + "vendor", kind.vendor + "\n");
  tree.write(folder + "device", kind.device + "\n");
  tree.write(folder + "numa_node", "0\n");
  for (const char* side : {"current", "max"}) {
    tree.write(folder + side + "_link_speed", speed);
    tree.write(folder + side + "_link_width", std::to_string(kind.width) + "\n");
  }
  tree.write(folder + "config", config_space(kind).substr(0, config));
  const std::string address = path.substr(path.rfind('/') + 1);
  tree.link("/sys/bus/pci/devices/" + address, "../../../devices/" + path);
}

}  // namespace assay::testing
