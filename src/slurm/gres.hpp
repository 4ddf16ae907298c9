// Slurm's words for devices: Gres ("gpu:h100:8(S:0-1),shard:32") is what a node has by its configuration, TRES
// ("cpu=2,gres/gpu=8") what slurmctld hands out of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::slurm {

// How many GPUs are offered; nothing if it can't be read.
struct GpuGres {
  std::int64_t count = 0;
  bool slices = false;  // MIG profiles: 1g.10gb
};
std::optional<GpuGres> gpus_in(std::string_view gres);
std::optional<std::int64_t> gpus_of_tres(std::string_view tres);

// "gpu:h100:8(S:0-1),shard:32" → "gpu:h100:8": the devices that a job doesn't see unless it asks for them.
std::string devices_of(std::string_view gres);
// The same with the count that slurmctld hands out, which sinfo's may lag behind after a change.
std::string devices_of(const std::string& devices, std::string_view tres);

}  // namespace assay::slurm
