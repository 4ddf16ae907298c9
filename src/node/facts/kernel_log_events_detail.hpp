// What went wrong, out of kernel messages. A detector is a pure function of one message; only link flaps and the
// driver's loading need to remember what came before. Repetitions of the same thing on the same device are one event.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "node/facts/kernel_log_lines_detail.hpp"

namespace assay::node::kernel_log {

struct Finding {
  std::string_view kind;   // one of kKinds
  std::string device;      // 0000:9b:00.0, nvme4, cpu0; may be empty
  std::string code;        // of XID and SXID; otherwise empty
  std::string severity;    // corrected, non-fatal, fatal, …; may be empty
  std::int64_t times = 1;  // that the message itself tells: "EDAC MC0: 40 CE"
};

struct Event : Finding {
  std::int64_t count = 0;
  std::string first;  // when, as the log writes it
  std::string last;
  std::string text;                 // the first message
  std::string last_text;            // the last one
  bool before_driver_load = false;  // the NVIDIA driver was loaded anew after the last of them
  std::size_t first_at = 0;         // which lines of the text the first and the last message are
  std::size_t last_at = 0;
};

// All kinds there are: a log without any of them says 0 for each.
inline constexpr std::string_view kKinds[] = {
    "xid",
    "sxid",
    "aer",
    "mce",
    "oom",
    "hung-task",
    "soft-lockup",
    "hard-lockup",
    "panic",
    "oops",
    "nvme-reset",
    "nvme-removed",
    "block-error",
    "filesystem-error",
    "mlx5-health",
    "mlx5-command-timeout",
    "link-flap",
    "lustre-eviction",
    "lustre-error",
    "amdgpu-reset",
    "amdgpu-timeout",
    "amdgpu-ras",
};

using Detector = std::optional<Finding> (*)(std::string_view message);

// Of one message: GPUs and switches (XID, SXID, amdgpu), then the machine (AER, MCE, memory, locks), then what is
// attached (disks, network, Lustre).
std::span<const Detector> gpu_detectors();
std::span<const Detector> machine_detectors();
std::span<const Detector> device_detectors();

// In the order of their first appearance.
std::vector<Event> events(const Log& log);

// For a reader that keeps only so many: every kind, code and severity once before any of them a second time, so that a
// flood of one on many devices pushes out no other.
std::vector<Event> by_turns(std::vector<Event> events);

// "PCI:0000:9B:00" or "0000:9b:00.0" as sysfs writes a function; empty if it is none.
std::string pci_function(std::string_view text);

// fatal, non-fatal, uncorrected (which of both isn't said), corrected; unknown for words that are none of these.
std::string pcie_severity(std::string_view text);

}  // namespace assay::node::kernel_log
