// Main memory: how much, how it is paged, and whether it may be swapped out.
#include "node/facts/memory_detail.hpp"

#include <fmt/format.h>

#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

constexpr Emits kEmits[] = {
    {"memory.total", "", "By", "memory that the kernel manages"},
    {"memory.available", "", "By", "memory that could be given out without swapping"},
    {"memory.hardware-corrupted", "", "By", "memory taken out of use after hardware errors since boot"},
    {"memory.huge-page-size", "", "By", "the default huge page"},
    {"memory.huge-pages-total", "", "1", "huge pages of the default size that are reserved"},
    {"memory.huge-pages-free", "", "1", "reserved huge pages that nobody uses"},
    {"memory.swap-areas", "", "", "active swap devices and files"},
    {"memory.swap-total", "", "By", "size of all active swap"},
    {"memory.swap-used", "", "By", "what of it is in use"},
    {"memory.thp-enabled", "", "", "transparent huge pages: always, madvise or never"},
    {"memory.thp-defrag", "", "", "who waits for a huge page to be made: always, defer, defer+madvise, madvise, never"},
};

constexpr auto kMeminfo = "/proc/meminfo";
constexpr auto kSwaps = "/proc/swaps";

void read_meminfo(Host& host, Findings& findings) {
  const auto fields = host.text(kMeminfo).and_then([](const std::string& text) { return parse_meminfo(text); });
  for (const auto& [field, name] :
       {std::pair("MemTotal", "memory.total"), std::pair("MemAvailable", "memory.available"),
        std::pair("HardwareCorrupted", "memory.hardware-corrupted"), std::pair("Hugepagesize", "memory.huge-page-size"),
        std::pair("HugePages_Total", "memory.huge-pages-total"),
        std::pair("HugePages_Free", "memory.huge-pages-free")}) {
    const auto value = fields.and_then([&, key = field](const auto& all) -> Seen<std::int64_t> {
      const auto found = all.find(key);
      if (found != all.end()) return found->second;
      return unseen(Absence::unsupported, fmt::format("this kernel's {} has no {}", kMeminfo, key));
    });
    findings.say({}, name, value, kMeminfo);
  }
}

void read_swaps(Host& host, Findings& findings) {
  const auto areas = host.text(kSwaps).and_then([](const std::string& text) { return parse_swaps(text); });
  if (!areas) {
    for (const char* name : {"memory.swap-areas", "memory.swap-total", "memory.swap-used"})
      findings.absent({}, name, areas.error(), kSwaps);
    return;
  }
  TextList names;
  std::int64_t total = 0, used = 0;
  for (const SwapArea& area : *areas) {
    names.push_back(area.name);
    total += area.size;
    used += area.used;
  }
  findings.see({}, "memory.swap-areas", names, kSwaps);
  findings.see({}, "memory.swap-total", total, kSwaps);
  findings.see({}, "memory.swap-used", used, kSwaps);
}

void read(Host& host, Findings& findings) {
  read_meminfo(host, findings);
  read_swaps(host, findings);
  const std::string folder = "/sys/kernel/mm/transparent_hugepage/";
  for (const auto& [file, name] :
       {std::pair("enabled", "memory.thp-enabled"), std::pair("defrag", "memory.thp-defrag")})
    findings.say({}, name, host.line(folder + file).and_then([](const std::string& line) { return chosen(line); }),
                 folder + file);
}

}  // namespace

extern const Reader memory = {"memory", "main memory, huge pages and swap", std::chrono::seconds(5), kEmits, read};

}  // namespace assay::node::facts
