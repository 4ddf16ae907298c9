#include <gmock/gmock.h>

#include "reading.hpp"

namespace assay::testing {
namespace {

TEST(Os, TellsReleaseAndInstalledKernels) {
  TemporaryFolder tree;
  tree.write("/etc/os-release", "ID=ubuntu\nVERSION_ID=\"22.04\"\nPRETTY_NAME=\"Ubuntu 22.04.4 LTS\"\n");
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
