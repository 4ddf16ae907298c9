// The kernel's words about CPUs, read whole or refused.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "node/host.hpp"

namespace assay::node::facts {

struct CpuInfo {
  std::string model;                    // "model name"; on Arm "implementer 0x41 part 0xd4f"
  std::string microcode;                // empty where the kernel doesn't tell
  std::int64_t threads = 0;             // logical CPUs
  std::optional<std::int64_t> sockets;  // only x86 tells these here
  std::optional<std::int64_t> cores;
  std::optional<bool> guest;  // x86: the CPU says that a hypervisor runs it
};

// /proc/cpuinfo.
Seen<CpuInfo> parse_cpuinfo(std::string_view text);

// How many CPUs or nodes a kernel list names: "0-3,8" is 5; "" is none.
Seen<std::int64_t> count_in_list(std::string_view text);

}  // namespace assay::node::facts
