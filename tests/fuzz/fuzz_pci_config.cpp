// A PCI configuration space and the texts beside it: read or refused, never a crash, and never ACS from a space that is
// too short to hold it.
#include <cstdlib>
#include <string_view>

#include "node/facts/pci_detail.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto config = assay::node::pci::parse_config(bytes);
  if (size <= 256 && config.acs_on.has_value()) std::abort();
  if (config.current && (config.current->speed <= 0 || config.current->width <= 0)) std::abort();
  static_cast<void>(assay::node::pci::parse_speed(bytes));
  static_cast<void>(assay::node::pci::parse_width(bytes));
  static_cast<void>(assay::node::pci::bridges_above(bytes, "0000:19:00.0"));
  return 0;
}
