// What a folder tree that stands for a machine can't tell.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

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

TEST(HostTree, WhatAPartOfAMachineLacksIsNotMissing) {
  TemporaryFolder tree;
  tree.write("/etc/passwd", "root:x:0:0::/root:/bin/sh\n");
  EXPECT_EQ(node::Host::holds_of(tree.string()), node::Host::Holds::part) << "no programs";
  tree.write("/usr/bin/sh", "");
  EXPECT_EQ(node::Host::holds_of(tree.string()), node::Host::Holds::whole);
  node::Host whole(tree.string(), {}, node::Host::holds_of(tree.string()));
  EXPECT_EQ(whole.text("/etc/nccl.conf").error().reason, Absence::missing);
  EXPECT_EQ(whole.none("no such thing").reason, Absence::missing);
  tree.write("/sos_commands/date", "");
  EXPECT_EQ(node::Host::holds_of(tree.string()), node::Host::Holds::part) << "a sosreport copies what it likes";
  node::Host part(tree.string(), {}, node::Host::holds_of(tree.string()));
  EXPECT_EQ(part.text("/etc/nccl.conf").error().reason, Absence::unsupported);
  EXPECT_EQ(part.none("no such thing").reason, Absence::unsupported);
  EXPECT_EQ(part.text("/usr/bin").error().reason, Absence::malformed) << "what is there is told as it is";
  EXPECT_EQ(node::Host::holds_of("/"), node::Host::Holds::whole);
}

TEST(Host, OnlyAProgramThatIsNotThereIsMissing) {
  TemporaryFolder folder;
  node::Host host("/", nullptr);
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/usr/bin:/bin", 1);  // a folder that may not be searched would make it a matter of permission
  EXPECT_EQ(host.run({"assay-no-such-program"}).error().reason, Absence::missing);
  setenv("PATH", path.c_str(), 1);
  folder.write("/plain", "x");
  EXPECT_EQ(host.run({folder.string() + "/plain"}).error().reason, Absence::permission);
  folder.write("/script", "#!/no/such/interpreter\n");
  ASSERT_EQ(chmod((folder.string() + "/script").c_str(), 0755), 0);
  EXPECT_EQ(host.run({folder.string() + "/script"}).error().reason, Absence::malformed);
}

}  // namespace
}  // namespace assay::testing
