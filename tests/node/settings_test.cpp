// The readers sysctl and limits.
#include <gmock/gmock.h>

#include "node/facts/limits_detail.hpp"
#include "reading.hpp"

namespace assay::testing {
namespace {

TEST(Sysctl, NumbersAndTexts) {
  TemporaryFolder tree;
  tree.write("/proc/sys/kernel/numa_balancing", "1\n");
  tree.write("/proc/sys/kernel/core_pattern", "|/usr/share/apport/apport %p\n");
  tree.write("/proc/sys/net/ipv4/neigh/default/gc_thresh3", "1024\n");
  const Reading reading = read_tree("sysctl", tree.string());
  EXPECT_EQ(reading.text("", "sysctl.kernel.numa_balancing"), "1");
  EXPECT_TRUE(std::holds_alternative<std::int64_t>(*reading.find("", "sysctl.kernel.numa_balancing")->value()));
  EXPECT_EQ(reading.text("", "sysctl.kernel.core_pattern"), "|/usr/share/apport/apport %p");
  EXPECT_EQ(reading.text("", "sysctl.net.ipv4.neigh.default.gc_thresh3"), "1024");
  EXPECT_EQ(reading.text("", "sysctl.vm.swappiness"), "<absent missing>");
}

TEST(Sysctl, ATreeWithoutProcCannotTell) {
  TemporaryFolder tree;
  EXPECT_EQ(read_tree("sysctl", tree.string()).text("", "sysctl.kernel.dmesg_restrict"), "<absent unsupported>");
}

TEST(Limits, ConfiguredInTheOrderOfPam) {
  TemporaryFolder tree;
  tree.write("/etc/security/limits.conf", "# * soft memlock 64\n*  soft  memlock  1024 # old\n* hard nofile 65536\n");
  tree.write("/etc/security/limits.d/99-rdma.conf", "* - memlock unlimited\n@rdma\thard\tmemlock\t-1\n");
  tree.write("/etc/security/limits.d/10-first.conf", "root soft memlock 512\nbroken line\n");
  tree.write("/etc/security/limits.d/README", "* - memlock 1\n");
  const Reading reading = read_tree("limits", tree.string());
  EXPECT_EQ(reading.text("", "limits.memlock-configured"), "* soft 1024, root soft 512, * - unlimited, @rdma hard -1");
  EXPECT_EQ(reading.text("", "limits.memlock-soft"), "<absent unsupported>");
}

TEST(Limits, NoFilesAtAllIsMissing) {
  TemporaryFolder tree;
  EXPECT_EQ(read_tree("limits", tree.string()).text("", "limits.memlock-configured"), "<absent missing>");
}

TEST(Limits, ThisProcessHasLimits) {
  const Reading reading = read_live("limits");
  EXPECT_NE(reading.find("", "limits.memlock-soft")->value(), nullptr);
  EXPECT_NE(reading.find("", "limits.nofile-hard")->value(), nullptr);
}

}  // namespace
}  // namespace assay::testing
