// What a folder tree that stands for a machine can't tell.
#include <gtest/gtest.h>

#include "node/host.hpp"
#include "testing.hpp"

namespace assay::testing {
namespace {

TEST(HostTree, AProcThatTheTreeLacksIsUnsupportedNotMissing) {
  TemporaryFolder tree;
  tree.write("/etc/hostname", "n1\n");
  std::filesystem::create_directories(tree.path() / "sys");
  node::Host host(tree.string(), {});
  EXPECT_EQ(host.text("/proc/swaps").error().reason, Absence::unsupported);
  EXPECT_EQ(host.names("/sys/class/infiniband").error().reason, Absence::unsupported);
  EXPECT_EQ(host.text("/processes").error().reason, Absence::missing);
}

TEST(HostTree, AFileMissingFromASysThatIsThereIsMissing) {
  TemporaryFolder tree;
  tree.write("/sys/devices/system/cpu/online", "0-1\n");
  node::Host host(tree.string(), {});
  EXPECT_EQ(host.names("/sys/class/infiniband").error().reason, Absence::missing);
}

}  // namespace
}  // namespace assay::testing
