// The kernel's tables about memory, read whole or refused.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "node/host.hpp"

namespace assay::node::facts {

// /proc/meminfo: sizes in bytes (its "kB" are 1024 bytes), page counts as they are.
Seen<std::map<std::string, std::int64_t>> parse_meminfo(std::string_view text);

struct SwapArea {
  std::string name;
  std::string type;       // partition, file
  std::int64_t size = 0;  // bytes
  std::int64_t used = 0;
};

// /proc/swaps. Only the heading line: no swap.
Seen<std::vector<SwapArea>> parse_swaps(std::string_view text);

// Which word of "always [madvise] never" is chosen.
Seen<std::string> chosen(std::string_view text);

}  // namespace assay::node::facts
