#include "node/facts/memory_detail.hpp"

#include <gmock/gmock.h>

#include "reading.hpp"

namespace assay::testing {
namespace {

using namespace node::facts;

constexpr auto kMeminfo =
    "MemTotal:       2113409892 kB\nMemFree:        1902348120 kB\nMemAvailable:   2059010344 kB\n"
    "HardwareCorrupted:     8 kB\nHugePages_Total:      16\nHugePages_Free:        4\nHugepagesize:       2048 kB\n";
constexpr auto kNoSwap = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n";

TEST(Memory, ReadsAmounts) {
  TemporaryFolder tree;
  tree.write("/proc/meminfo", kMeminfo);
  tree.write("/proc/swaps", std::string(kNoSwap) +
                                "/dev/nvme0n1p3                          partition\t8388604\t\t1024\t\t-2\n"
                                "/swap\\040file                           file\t\t4194300\t\t0\t\t-3\n");
  tree.write("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  tree.write("/sys/kernel/mm/transparent_hugepage/defrag", "always defer defer+madvise [madvise] never\n");
  const Reading reading = read_tree("memory", tree.string());
  EXPECT_EQ(reading.text("", "memory.total"), "2164131729408");
  EXPECT_EQ(reading.text("", "memory.available"), "2108426592256");
  EXPECT_EQ(reading.text("", "memory.hardware-corrupted"), "8192");
  EXPECT_EQ(reading.text("", "memory.huge-pages-total"), "16");
  EXPECT_EQ(reading.text("", "memory.huge-page-size"), "2097152");
  EXPECT_EQ(reading.text("", "memory.swap-areas"), "/dev/nvme0n1p3, /swap\\040file");
  EXPECT_EQ(reading.text("", "memory.swap-total"), "12884893696");
  EXPECT_EQ(reading.text("", "memory.swap-used"), "1048576");
  EXPECT_EQ(reading.text("", "memory.thp-enabled"), "madvise");
  EXPECT_EQ(reading.text("", "memory.thp-defrag"), "madvise");
}

TEST(Memory, NoSwapIsZeroAndSeen) {
  TemporaryFolder tree;
  tree.write("/proc/swaps", kNoSwap);
  const Reading reading = read_tree("memory", tree.string());
  EXPECT_EQ(reading.text("", "memory.swap-total"), "0");
  EXPECT_EQ(reading.text("", "memory.total"), "<absent missing>");
}

TEST(Memory, ATreeWithoutProcCannotTell) {
  TemporaryFolder tree;
  const Reading reading = read_tree("memory", tree.string());
  EXPECT_EQ(reading.text("", "memory.swap-total"), "<absent unsupported>");
}

TEST(Memory, RefusesWhatIsBroken) {
  EXPECT_FALSE(parse_meminfo("MemTotal: lots kB\n"));
  EXPECT_FALSE(parse_meminfo("MemFree: 3 kB\n"));
  EXPECT_FALSE(parse_meminfo("MemTotal: 12 MB\n"));
  EXPECT_FALSE(parse_meminfo("MemTotal: 9223372036854775807 kB\n"));
  EXPECT_FALSE(parse_meminfo("Permission denied 12345\n"));
  EXPECT_FALSE(parse_swaps(""));
  EXPECT_FALSE(parse_swaps("/dev/sda3 partition 12 0 -2\n")) << "the heading is missing";
  EXPECT_FALSE(parse_swaps(std::string(kNoSwap) + "/dev/sda3 partition 8388\n"));
  EXPECT_FALSE(parse_swaps(std::string(kNoSwap) + "/dev/sda3 partition -1 0 -2\n"));
  EXPECT_FALSE(chosen("always madvise never"));
  EXPECT_FALSE(chosen("always ] [madvise"));
  EXPECT_FALSE(chosen("[]"));
}

}  // namespace
}  // namespace assay::testing
