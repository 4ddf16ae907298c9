// What /proc/driver/nvidia says of the loaded kernel module.
#pragma once

#include <string>
#include <string_view>

#include "node/host.hpp"

namespace assay::node::gpu {

struct Module {
  std::string version;
  bool open = false;  // the open-source module
};

// "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  550.54.15  Release Build …" and its closed twin.
Seen<Module> parse_module(std::string_view text);
// The value of one parameter ("RmProfilingAdminOnly: 1") in /proc/driver/nvidia/params.
Seen<bool> parse_parameter(std::string_view text, std::string_view name);

}  // namespace assay::node::gpu
