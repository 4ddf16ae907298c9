#include "gpu_cases.hpp"

namespace assay::testing {

Observations sound_node(int node, int gpus) {
  const std::string at = node_path(node);
  Observations all = {
      seen(at, "gpu.count", std::int64_t{gpus}),
      seen(at, "gpu.pci-count", std::int64_t{gpus}),
      seen(at, "gpu.pci-drivers", TextList{"0000:1a:00.0=nvidia"}),
      seen(at, "gpu.driver-answers", true),
      seen(at, "gpu.driver-version", "570.86.15"),
      seen(at, "gpu.cuda-version", "12.8"),
      seen(at, "gpu.profiling-admin-only", false),
      seen(at, "os.uptime", 864000.0, "s"),
  };
  for (int index = 0; index < gpus; ++index) {
    const std::string gpu = gpu_path(node, index);
    const Observations told = {
        seen(gpu, "gpu.vendor", "nvidia"),
        seen(gpu, "gpu.state", "ok"),
        seen(gpu, "gpu.name", "NVIDIA H100 80GB HBM3"),
        seen(gpu, "gpu.pci-address", "0000:" + std::to_string(index + 1) + "a:00.0"),
        seen(gpu, "gpu.memory-total", std::int64_t{85520809984}),
        seen(gpu, "gpu.ecc-mode", "enabled"),
        seen(gpu, "gpu.ecc-corrected-volatile", std::int64_t{0}),
        seen(gpu, "gpu.ecc-uncorrected-volatile", std::int64_t{0}),
        seen(gpu, "gpu.ecc-uncorrected-aggregate", std::int64_t{0}),
        seen(gpu, "gpu.sram-uncorrected-aggregate", std::int64_t{0}),
        seen(gpu, "gpu.sram-threshold-exceeded", false),
        seen(gpu, "gpu.remapped-rows-uncorrectable", std::int64_t{0}),
        seen(gpu, "gpu.remap-pending", false),
        seen(gpu, "gpu.remap-failed", false),
        seen(gpu, "gpu.persistence-mode", true),
        seen(gpu, "gpu.throttle-reasons", TextList{"gpu-idle"}),
        seen(gpu, "gpu.power", 71.3),
        seen(gpu, "gpu.power-limit", 700.0),
        seen(gpu, "gpu.power-limit-default", 700.0),
        seen(gpu, "gpu.clock-sm-max", std::int64_t{1980}),
        seen(gpu, "gpu.clock-memory-max", std::int64_t{2619}),
        seen(gpu, "gpu.fabric-state", "completed"),
        seen(gpu, "gpu.nvlink-states", TextList(18, "active")),
        seen(gpu, "gpu.nvlink-replays", std::int64_t{0}),
        seen(gpu, "gpu.nvlink-recoveries", std::int64_t{0}),
        seen(gpu, "gpu.nvlink-crc-errors", std::int64_t{0}),
        seen(gpu, "gpu.utilization", std::int64_t{0}),
        seen(gpu, "gpu.processes", std::int64_t{0}),
    };
    all.insert(all.end(), told.begin(), told.end());
  }
  return all;
}

Observations sound_nodes(int nodes, int gpus) {
  Observations all;
  for (int node = 1; node <= nodes; ++node)
    for (const Observation& each : sound_node(node, gpus)) all.push_back(each);
  return all;
}

Observations bare_node(int node) {
  return {seen(node_path(node), "gpu.count", std::int64_t{0}), seen(node_path(node), "gpu.pci-count", std::int64_t{0})};
}

Observations with(Observations observations, const Observation& changed) {
  for (Observation& each : observations) {
    if (each.subject == changed.subject && each.name == changed.name) {
      each = changed;
      return observations;
    }
  }
  observations.push_back(changed);
  return observations;
}

}  // namespace assay::testing
