#include <gmock/gmock.h>

#include "reading.hpp"

namespace assay::testing {
namespace {

TEST(Os, TellsReleaseAndInstalledKernels) {
  TemporaryFolder tree;
  tree.write("/etc/os-release",
             "ID=ubuntu\nID_LIKE=debian\nVERSION_ID=\"22.04\"\nPRETTY_NAME=\"Ubuntu 22.04.4 LTS\"\n");
  tree.write("/etc/hostname", "n1\n");
  tree.write("/lib/modules/5.15.0-113-generic/modules.dep", "");
  tree.write("/lib/modules/5.15.0-112-generic/modules.dep", "");
  tree.write("/lib/modules/5.15.0-97-generic/build/left-over", "");
  const Reading reading = read_tree("os", tree.string());
  EXPECT_EQ(reading.text("", "os.id"), "ubuntu");
  EXPECT_EQ(reading.text("", "os.version"), "22.04");
  EXPECT_EQ(reading.text("", "os.hostname"), "n1");
  EXPECT_EQ(reading.text("", "kernel.installed"), "5.15.0-112-generic, 5.15.0-113-generic");
  EXPECT_EQ(reading.text("", "kernel.running"), "<absent unsupported>");
  EXPECT_THAT(reading.transcript, ::testing::HasSubstr("== file /etc/os-release\nID=ubuntu"));
}

TEST(Os, TellsTheMachineAndTheKernelsState) {
  TemporaryFolder tree;
  tree.write("/etc/os-release", "ID=ubuntu\nID_LIKE=debian\n");
  tree.write("/proc/uptime", "86400.25 1234567.00\n");
  tree.write("/proc/sys/kernel/tainted", "12289\n");
  tree.write("/sys/class/dmi/id/sys_vendor", "Dell Inc.\n");
  tree.write("/sys/class/dmi/id/product_name", "PowerEdge XE9680\n");
  const Reading reading = read_tree("os", tree.string());
  EXPECT_EQ(reading.text("", "os.like"), "debian");
  EXPECT_EQ(reading.text("", "os.uptime"), "86400.2");
  EXPECT_EQ(reading.text("", "kernel.tainted"), "12289");
  EXPECT_EQ(reading.text("", "hardware.product"), "PowerEdge XE9680");
  EXPECT_EQ(reading.text("", "hardware.firmware-version"), "<absent missing>");
  EXPECT_EQ(reading.text("", "os.version"), "<absent missing>");
}

TEST(Os, BrokenNumbersAreMalformed) {
  TemporaryFolder tree;
  tree.write("/proc/uptime", "up 3 days\n");
  tree.write("/proc/sys/kernel/tainted", "not tainted\n");
  const Reading reading = read_tree("os", tree.string());
  EXPECT_EQ(reading.text("", "os.uptime"), "<absent malformed>");
  EXPECT_EQ(reading.text("", "kernel.tainted"), "<absent malformed>");
}

TEST(Os, AnEmptyTreeIsAbsentNotEmpty) {
  TemporaryFolder tree;
  const Reading reading = read_tree("os", tree.string());
  EXPECT_EQ(reading.text("", "os.id"), "<absent missing>");
  EXPECT_EQ(reading.text("", "kernel.installed"), "<absent missing>");
}

TEST(Os, ThisMachineTellsItsKernel) {
  EXPECT_NE(read_live("os").text("", "kernel.running").find('.'), std::string::npos);
}

}  // namespace
}  // namespace assay::testing
