// What can be said of GPUs, whoever says it: the driver's library, nvidia-smi's text, or AMD's sysfs. Each source tells
// some of it; a Card says of the rest that it wasn't told, and why, so that no field is silent.
#pragma once

#include <set>
#include <span>

#include "node/reader.hpp"

namespace assay::node::gpu {

inline constexpr Emits kEmits[] = {
    {"gpu.count", "", "1", "GPUs that the drivers count; 0 only where the PCI bus was seen to hold none"},
    {"gpu.pci-count", "", "1", "NVIDIA and AMD display and accelerator functions on the PCI bus"},
    {"gpu.pci-addresses", "", "", "their addresses"},
    {"gpu.pci-drivers", "", "", "address=driver of each, \"none\" where no driver is bound"},
    {"gpu.driver-answers", "", "", "whether a driver answers for the GPUs on the bus; only a running machine tells"},
    {"gpu.driver-version", "", "", "version of the NVIDIA driver, or of AMD's out-of-tree one"},
    {"gpu.cuda-version", "", "", "newest CUDA version that the driver serves, as major.minor"},
    {"gpu.nvml-version", "", "", "version of NVIDIA's management library"},
    {"gpu.module-version", "", "", "version of the loaded NVIDIA kernel module"},
    {"gpu.module-flavor", "", "", "open or closed: which of NVIDIA's kernel modules is loaded"},
    {"gpu.profiling-admin-only", "", "", "whether GPU performance counters are kept from users (RmProfilingAdminOnly)"},
    {"nvml.stand-in", "", "", "whether the management library is a laboratory's stand-in"},
    {"gpu.vendor", "gpu", "", "nvidia or amd"},
    {"gpu.state", "gpu", "", "ok, lost or reset-required, as its driver answers"},
    {"gpu.name", "gpu", "", "product name"},
    {"gpu.uuid", "gpu", "", "its own identity"},
    {"gpu.pci-address", "gpu", "", "domain:bus:device.function, lower case"},
    {"gpu.serial", "gpu", "", "serial number of the board"},
    {"gpu.vbios", "gpu", "", "version of its video BIOS"},
    {"gpu.memory-total", "gpu", "By", "its memory"},
    {"gpu.ecc-mode", "gpu", "", "enabled or disabled"},
    {"gpu.ecc-corrected-volatile", "gpu", "1", "corrected memory errors since the driver was loaded"},
    {"gpu.ecc-uncorrected-volatile", "gpu", "1", "uncorrected memory errors since the driver was loaded"},
    {"gpu.ecc-corrected-aggregate", "gpu", "1", "corrected memory errors of its whole life"},
    {"gpu.ecc-uncorrected-aggregate", "gpu", "1", "uncorrected memory errors of its whole life"},
    {"gpu.sram-uncorrected-aggregate", "gpu", "1", "of them, those in SRAM"},
    {"gpu.sram-threshold-exceeded", "gpu", "", "whether the GPU itself says that its SRAM errors are too many"},
    {"gpu.remapped-rows-correctable", "gpu", "1", "memory rows remapped after corrected errors"},
    {"gpu.remapped-rows-uncorrectable", "gpu", "1", "memory rows remapped after uncorrected errors"},
    {"gpu.remap-pending", "gpu", "", "whether a row waits for a reset to be remapped"},
    {"gpu.remap-failed", "gpu", "", "whether a row could not be remapped"},
    {"gpu.retired-pages-pending", "gpu", "", "whether a page waits for a reset to be retired"},
    {"gpu.persistence-mode", "gpu", "", "whether the driver stays loaded without clients"},
    {"gpu.compute-mode", "gpu", "", "default, prohibited or exclusive-process"},
    {"gpu.mig-mode", "gpu", "", "whether it is split into instances"},
    {"gpu.virtualization", "gpu", "", "none, passthrough, vgpu, host-vgpu or host-vsga"},
    {"gpu.clock-sm", "gpu", "MHz", "clock of its processors"},
    {"gpu.clock-sm-max", "gpu", "MHz", "highest clock of its processors"},
    {"gpu.clock-memory", "gpu", "MHz", "clock of its memory"},
    {"gpu.clock-memory-max", "gpu", "MHz", "highest clock of its memory"},
    {"gpu.throttle-reasons", "gpu", "", "what holds its clocks down now: gpu-idle, hw-slowdown, …"},
    {"gpu.temperature", "gpu", "Cel", "its temperature"},
    {"gpu.power", "gpu", "W", "power that it draws"},
    {"gpu.power-limit", "gpu", "W", "power that it may draw"},
    {"gpu.power-limit-default", "gpu", "W", "power that its maker lets it draw unless told otherwise"},
    {"gpu.utilization", "gpu", "%", "share of the last sample in which a kernel ran"},
    {"gpu.processes", "gpu", "1", "compute processes that hold it"},
    {"gpu.pcie-generation", "gpu", "1", "PCIe generation of its link now (lower when idle)"},
    {"gpu.pcie-generation-max", "gpu", "1", "highest PCIe generation that GPU and slot allow"},
    {"gpu.pcie-width", "gpu", "1", "lanes of its PCIe link"},
    {"gpu.pcie-width-max", "gpu", "1", "lanes that GPU and slot allow"},
    {"gpu.pcie-replays", "gpu", "1", "PCIe packets sent again since the driver was loaded"},
    {"gpu.nvlink-states", "gpu", "", "active or inactive, one for each NVLink, in their order"},
    {"gpu.nvlink-versions", "gpu", "", "version of each NVLink, in their order"},
    {"gpu.nvlink-replays", "gpu", "1", "packets sent again over its active NVLinks since the driver was loaded"},
    {"gpu.nvlink-recoveries", "gpu", "1", "times an active NVLink had to be trained anew since then"},
    {"gpu.nvlink-crc-errors", "gpu", "1", "checksums of flits and data that were wrong on them since then"},
    {"gpu.fabric-state", "gpu", "", "registration with the NVLink fabric: not-supported … completed"},
};

class Card {
 public:
  Card(Findings& findings, std::string_view index) : findings_(findings), subject_(Subject().child("gpu", index)) {}

  void see(std::string_view name, Value value, std::string_view from) {
    said_.insert(name);
    findings_.see(subject_, name, std::move(value), from);
  }
  void absent(std::string_view name, const Absent& why, std::string_view from) {
    said_.insert(name);
    findings_.absent(subject_, name, why, from);
  }
  template <class T>
  void say(std::string_view name, const Seen<T>& seen, std::string_view from) {
    if (seen) {
      see(name, Value(*seen), from);
    } else {
      absent(name, seen.error(), from);
    }
  }
  // Everything that wasn't said is absent, for this reason.
  void rest(const Absent& why, std::string_view from) {
    for (const Emits& each : kEmits)
      if (each.subject == "gpu" && !said_.contains(each.name)) absent(each.name, why, from);
  }

 private:
  Findings& findings_;
  Subject subject_;
  std::set<std::string_view> said_;
};

}  // namespace assay::node::gpu
