#include <gmock/gmock.h>

#include "reading.hpp"

namespace assay::testing {
namespace {

void add_interface(const TemporaryFolder& tree, const std::string& name, const std::string& type,
                   const std::string& mtu, const std::string& speed) {
  const std::string folder = "/sys/class/net/" + name;
  tree.write(folder + "/type", type + "\n");
  tree.write(folder + "/mtu", mtu + "\n");
  tree.write(folder + "/speed", speed + "\n");
  tree.write(folder + "/operstate", "up\n");
  tree.write(folder + "/address", "02:00:00:00:00:01\n");
}

TEST(Interfaces, TellsKindsMtuAndDriver) {
  TemporaryFolder tree;
  add_interface(tree, "eth0", "1", "9000", "200000");
  add_interface(tree, "ib0", "32", "2044", "400000");
  add_interface(tree, "docker0", "1", "1500", "-1");
  add_interface(tree, "veth1", "1", "1500", "10000");
  add_interface(tree, "lo", "772", "65536", "0");
  add_interface(tree, "bond0", "1", "9000", "400000");
  tree.write("/sys/class/net/bonding_masters", "bond0\n");
  tree.write("/sys/class/net/docker0/bridge/stp_state", "0\n");
  tree.write("/sys/class/net/bond0/bonding/mode", "802.3ad 4\n");
  tree.write("/sys/devices/0000:61:00.0/vendor", "0x15b3\n");
  tree.write("/sys/bus/pci/drivers/mlx5_core/bind", "");
  tree.link("/sys/devices/0000:61:00.0/driver", "../../bus/pci/drivers/mlx5_core");
  tree.link("/sys/devices/0000:61:00.0/subsystem", "../../bus/pci");
  tree.link("/sys/class/net/eth0/device", "../../../devices/0000:61:00.0");
  tree.link("/sys/class/net/eth0/master", "../bond0");
  const Reading reading = read_tree("interfaces", tree.string());
  EXPECT_EQ(reading.text("", "interfaces.names"), "bond0, docker0, eth0, ib0, lo, veth1");
  EXPECT_EQ(reading.text("interface/eth0", "interface.kind"), "physical");
  EXPECT_EQ(reading.text("interface/eth0", "interface.mtu"), "9000");
  EXPECT_EQ(reading.text("interface/eth0", "interface.speed"), "200000");
  EXPECT_EQ(reading.text("interface/eth0", "interface.driver"), "mlx5_core");
  EXPECT_EQ(reading.text("interface/eth0", "interface.pci"), "0000:61:00.0");
  EXPECT_EQ(reading.text("interface/eth0", "interface.master"), "bond0");
  EXPECT_EQ(reading.text("interface/ib0", "interface.kind"), "infiniband");
  EXPECT_EQ(reading.text("interface/docker0", "interface.kind"), "bridge");
  EXPECT_EQ(reading.text("interface/docker0", "interface.speed"), "<absent unsupported>");
  EXPECT_EQ(reading.text("interface/veth1", "interface.kind"), "virtual");
  EXPECT_EQ(reading.text("interface/lo", "interface.kind"), "loopback");
  EXPECT_EQ(reading.text("interface/bond0", "interface.kind"), "bond");
  EXPECT_EQ(reading.text("interface/eth0", "interface.addresses"), "<absent unsupported>");
}

TEST(Interfaces, MalformedAndMissingAreSaid) {
  TemporaryFolder tree;
  EXPECT_EQ(read_tree("interfaces", tree.string()).text("", "interfaces.names"), "<absent unsupported>");
  tree.write("/sys/class/net/eth0/mtu", "large\n");
  const Reading reading = read_tree("interfaces", tree.string());
  EXPECT_EQ(reading.text("interface/eth0", "interface.mtu"), "<absent malformed>");
  EXPECT_EQ(reading.text("interface/eth0", "interface.state"), "<absent missing>");
}

TEST(Interfaces, ThisMachineHasALoopbackWithItsAddress) {
  EXPECT_THAT(read_live("interfaces").text("interface/lo", "interface.addresses"), ::testing::HasSubstr("127.0.0.1/8"));
}

}  // namespace
}  // namespace assay::testing
