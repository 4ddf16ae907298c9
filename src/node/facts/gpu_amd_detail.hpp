// AMD GPUs as the kernel's own driver tells them under /sys/class/drm. No library is needed; a product name that sysfs
// doesn't hold is asked of rocm-smi where that is installed.
#pragma once

#include <cstddef>

#include "node/reader.hpp"

namespace assay::node::gpu {

// Says all AMD cards, numbered from `first` on, and returns how many they are.
Seen<std::size_t> say_amd_gpus(Host& host, std::size_t first, Findings& findings);

// "16.0 GT/s PCIe" → 4.
Seen<std::int64_t> generation_of(const std::string& link_speed);

}  // namespace assay::node::gpu
