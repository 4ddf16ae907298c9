#include <gmock/gmock.h>
#include <sys/stat.h>

#include "reading.hpp"

namespace assay::testing {
namespace {

void set_mode(const TemporaryFolder& tree, const std::string& path, mode_t mode) {
  ASSERT_EQ(chmod((tree.string() + path).c_str(), mode), 0);
}

TEST(Devices, TellsModeAndOwner) {
  TemporaryFolder tree;
  for (const auto path : {"/dev/infiniband/umad0", "/dev/infiniband/umad10", "/dev/infiniband/issm0",
                          "/dev/infiniband/uverbs0", "/dev/infiniband/rdma_cm", "/dev/ipmi0", "/dev/ipmidev"})
    tree.write(path, "");
  set_mode(tree, "/dev/infiniband/umad0", 0666);
  set_mode(tree, "/dev/ipmi0", 0600);
  const Reading reading = read_tree("devices", tree.string());
  EXPECT_EQ(reading.text("", "devices.umad"), "issm0, umad0, umad10");
  EXPECT_EQ(reading.text("", "devices.uverbs"), "uverbs0");
  EXPECT_EQ(reading.text("", "devices.ipmi"), "ipmi0");
  EXPECT_EQ(reading.text("device/umad0", "device.mode"), std::to_string(0666));
  EXPECT_EQ(reading.text("device/ipmi0", "device.mode"), std::to_string(0600));
  EXPECT_EQ(reading.text("device/ipmi0", "device.type"), "-");
  EXPECT_EQ(reading.text("device/ipmi0", "device.path"), "/dev/ipmi0");
  EXPECT_EQ(reading.text("device/ipmi0", "device.readable-by-us"), "<absent unsupported>");
}

TEST(Devices, TheBmcGoesByOtherNamesToo) {
  TemporaryFolder tree;
  tree.write("/dev/ipmi0", "");
  tree.write("/dev/ipmi/0", "");
  tree.write("/dev/ipmidev/0", "");
  set_mode(tree, "/dev/ipmidev/0", 0666);
  const Reading reading = read_tree("devices", tree.string());
  EXPECT_EQ(reading.text("", "devices.ipmi"), "ipmi0, ipmi-0, ipmidev-0");
  EXPECT_EQ(reading.text("device/ipmidev-0", "device.mode"), std::to_string(0666));
  EXPECT_EQ(reading.text("device/ipmi-0", "device.path"), "/dev/ipmi/0");
}

TEST(Devices, ATreeWithoutNodesTellsNothing) {
  TemporaryFolder tree;
  tree.write("/dev/null", "");
  const Reading reading = read_tree("devices", tree.string());
  for (const auto list : {"devices.umad", "devices.ipmi", "devices.rshim", "devices.imex"})
    EXPECT_EQ(reading.text("", list), "<absent unsupported>");
}

TEST(Devices, RshimIsAFolderOfDoors) {
  TemporaryFolder tree;
  tree.write("/dev/rshim0/console", "");
  tree.write("/dev/rshim0/boot", "");
  tree.write("/sys/class/net/tmfifo_net0/mtu", "1500\n");
  tree.write("/sys/class/net/lo/mtu", "65536\n");
  const Reading reading = read_tree("devices", tree.string());
  EXPECT_EQ(reading.text("", "devices.rshim"), "rshim0");
  EXPECT_EQ(reading.text("device/rshim0", "device.type"), "d");
  EXPECT_EQ(reading.text("device/rshim0-console", "device.type"), "-");
  EXPECT_EQ(reading.text("", "interface.tmfifo"), "tmfifo_net0");
}

TEST(Devices, ImexChannelsAreNamedApart) {
  TemporaryFolder tree;
  tree.write("/dev/nvidia-caps-imex-channels/channel0", "");
  const Reading reading = read_tree("devices", tree.string());
  EXPECT_EQ(reading.text("", "devices.imex"), "channel0");
  EXPECT_EQ(reading.text("device/imex-channel0", "device.path"), "/dev/nvidia-caps-imex-channels/channel0");
}

TEST(Devices, AMissingFolderHoldsNoNodesOnARunningMachine) {
  const Reading reading = read_live("devices");
  struct stat status {};
  if (stat("/dev/nvidia-caps-imex-channels", &status) == 0) GTEST_SKIP();
  EXPECT_EQ(reading.text("", "devices.imex"), "");
}

}  // namespace
}  // namespace assay::testing
