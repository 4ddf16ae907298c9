// `rocm-smi --json`: what sysfs doesn't tell of AMD's GPUs, above all their product names. Every value is a text, also
// the numbers, and "N/A" is one of them; a card that the tool couldn't look up is named by its vendor's number.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "node/host.hpp"

namespace assay::node::gpu {

struct RocmReport {
  Seen<std::string> driver_version = unseen(Absence::missing, "rocm-smi tells no driver version");
  std::map<std::string, Seen<std::string>> names;  // by PCI address, 0000:1e:00.0
};

Seen<RocmReport> parse_rocm(std::string_view json);

}  // namespace assay::node::gpu
