// Which disks a block device stands on, through partitions, RAID and LVM: /sys/dev/block/MAJOR:MINOR and its slaves.
#pragma once

#include <string>
#include <vector>

#include "node/host.hpp"

namespace assay::node::facts {

// Names of whole disks ("nvme0n1"), each once, sorted. `number` is "259:7"; where it isn't a real block device (btrfs
// numbers its own) `source` is tried: "/dev/nvme0n1p1".
Seen<std::vector<std::string>> disks_below(Host& host, const std::string& number, const std::string& source);

}  // namespace assay::node::facts
