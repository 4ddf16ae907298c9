#include <gmock/gmock.h>
#include <rapidcheck.h>

#include "node/facts/pci_detail.hpp"
#include "pci_tree.hpp"
#include "reading.hpp"

namespace assay::testing {
namespace {

using node::pci::parse_config;

// A GPU and an adapter below one switch, a disk elsewhere, and devices of no interest.
void plant(const TemporaryFolder& tree) {
  const std::string up = "pci0000:15/0000:15:01.0/0000:16:00.0";
  add_pci(tree, "pci0000:15/0000:15:01.0", root_port(0x1d));
  add_pci(tree, up, upstream_port());
  add_pci(tree, up + "/0000:17:01.0", downstream_port());
  add_pci(tree, up + "/0000:17:02.0", downstream_port(0x0d));
  add_pci(tree, up + "/0000:17:01.0/0000:19:00.0", gpu());
  add_pci(tree, up + "/0000:17:02.0/0000:1a:00.0", nic());
  add_pci(tree, "pci0000:00/0000:00:0c.0", root_port(0x01));
  add_pci(tree, "pci0000:00/0000:00:0c.0/0000:01:00.0", {"0x010802", "0x144d", "0xa80a", 0, 4, 4, -1, false}, 64);
  add_pci(tree, "pci0000:00/0000:00:1f.0", {"0x060100", "0x8086", "0x1b81", 0, 1, 1, -1, false});
  add_pci(tree, "pci0000:00/0000:00:02.0", {"0x030000", "0x1a03", "0x2000", 0, 1, 1, -1, false});
}

TEST(Pci, FollowsDevicesOfInterestAndTheirBridges) {
  TemporaryFolder tree;
  plant(tree);
  const Reading reading = read_tree("pci", tree.string());
  EXPECT_EQ(reading.text("", "pci.gpu-count"), "1");
  EXPECT_EQ(reading.text("", "pci.nic-count"), "1");
  EXPECT_EQ(reading.text("", "pci.nvme-count"), "1");
  EXPECT_EQ(reading.text("", "pci.nvswitch-count"), "0");
  EXPECT_EQ(reading.text("pci/0000:19:00.0", "pci.role"), "gpu");
  EXPECT_EQ(reading.text("pci/0000:19:00.0", "pci.vendor"), "10de");
  EXPECT_EQ(reading.text("pci/0000:19:00.0", "pci.path"), "0000:15:01.0, 0000:16:00.0, 0000:17:01.0");
  EXPECT_EQ(reading.text("pci/0000:19:00.0", "pci.parent"), "0000:17:01.0");
  EXPECT_EQ(reading.text("pci/0000:19:00.0", "pci.link-speed"), "32");
  EXPECT_EQ(reading.text("pci/0000:19:00.0", "pci.link-width-max"), "16");
  EXPECT_EQ(reading.text("pci/0000:1a:00.0", "pci.ats"), "true");
  EXPECT_EQ(reading.text("pci/0000:15:01.0", "pci.parent"), "<absent missing>");
  EXPECT_EQ(reading.text("pci/0000:00:1f.0", "pci.role"), "<nothing>");
  EXPECT_EQ(reading.text("pci/0000:00:02.0", "pci.role"), "<nothing>");
}

TEST(Pci, TellsAcsOfEachBridge) {
  TemporaryFolder tree;
  plant(tree);
  const Reading reading = read_tree("pci", tree.string());
  EXPECT_EQ(reading.text("pci/0000:17:01.0", "pci.acs"), "");
  EXPECT_EQ(reading.text("pci/0000:17:02.0", "pci.acs"), "SrcValid, ReqRedir, CmpltRedir");
  EXPECT_EQ(reading.text("pci/0000:15:01.0", "pci.acs"), "SrcValid, ReqRedir, CmpltRedir, UpstreamFwd");
  EXPECT_EQ(reading.text("pci/0000:16:00.0", "pci.acs"), "<absent missing>");
  EXPECT_EQ(reading.text("pci/0000:16:00.0", "pci.port-type"), "upstream-port");
  EXPECT_EQ(reading.text("pci/0000:00:0c.0", "pci.acs"), "SrcValid");
  EXPECT_THAT(reading.transcript, ::testing::HasSubstr("== config of 0000:17:02.0\n000: 00 10 30 c0"));
}

TEST(Pci, SixtyFourBytesAreNoPermissionNotNoAcs) {
  TemporaryFolder tree;
  add_pci(tree, "pci0000:15/0000:15:01.0", root_port(0x1d), 64);
  add_pci(tree, "pci0000:15/0000:15:01.0/0000:19:00.0", gpu(), 64);
  const Reading reading = read_tree("pci", tree.string());
  EXPECT_EQ(reading.text("pci/0000:15:01.0", "pci.acs"), "<absent permission>");
  EXPECT_EQ(reading.text("pci/0000:15:01.0", "pci.port-type"), "<absent permission>");
  EXPECT_EQ(reading.text("pci/0000:19:00.0", "pci.link-width"), "16");  // sysfs tells it to everybody
}

TEST(Pci, LeavesOutVirtualFunctions) {
  TemporaryFolder tree;
  plant(tree);
  add_pci(tree, "pci0000:15/0000:15:01.0/0000:1a:00.1", nic());
  tree.link("/sys/devices/pci0000:15/0000:15:01.0/0000:1a:00.1/physfn", "../0000:1a:00.0");
  tree.write("/sys/devices/pci0000:15/0000:15:01.0/0000:1a:00.0/class", "");
  EXPECT_EQ(read_tree("pci", tree.string()).text("", "pci.nic-count"), "1");
}

TEST(Pci, AnUnreadableClassMakesNoCount) {
  TemporaryFolder tree;
  plant(tree);
  tree.write("/sys/devices/pci0000:00/0000:00:02.0/class", "graphics\n");
  const Reading reading = read_tree("pci", tree.string());
  EXPECT_EQ(reading.text("", "pci.gpu-count"), "<absent malformed>");
  EXPECT_EQ(reading.text("pci/0000:19:00.0", "pci.role"), "gpu");
}

TEST(Pci, NoBusIsAbsentNotZero) {
  TemporaryFolder tree;
  EXPECT_EQ(read_tree("pci", tree.string()).text("", "pci.gpu-count"), "<absent unsupported>");
  tree.write("/sys/class/net/lo/address", "00:00:00:00:00:00\n");
  EXPECT_EQ(read_tree("pci", tree.string()).text("", "pci.gpu-count"), "<absent missing>");
}

TEST(Pci, ADeviceOffTheBusReadsAllOnes) {
  const auto config = parse_config(std::string(4096, '\xff'));
  EXPECT_EQ(config.acs_on.error().reason, Absence::malformed);
  EXPECT_EQ(config.port_type.error().reason, Absence::malformed);
}

TEST(Pci, AListThatBitesItsTailEnds) {
  std::string space = config_space(downstream_port());
  space[0x41] = 0x40;     // the first capability points at itself
  space[0x14a] = '\x81';  // so does the extended one
  space[0x14b] = '\x14';
  space[0x148] = 0;
  const auto config = parse_config(space);
  EXPECT_EQ(config.port_type.error().reason, Absence::malformed);
  EXPECT_EQ(config.acs_on.error().reason, Absence::malformed);
}

TEST(Pci, AnyBytesAreReadOrRefused) {
  rc::check([](const std::string& noise, std::uint8_t at) {
    std::string space = config_space(downstream_port(0x1d));
    for (std::size_t i = 0; i < noise.size(); ++i) space[(at * 16 + i) % space.size()] = noise[i];
    parse_config(space);
    parse_config(noise);
  });
}

TEST(Pci, SpeedsAndWidths) {
  using node::pci::parse_speed;
  using node::pci::parse_width;
  EXPECT_EQ(*parse_speed("32.0 GT/s PCIe"), 32);
  EXPECT_EQ(*parse_speed("2.5 GT/s"), 2.5);
  EXPECT_EQ(parse_speed("Unknown").error().reason, Absence::unsupported);
  EXPECT_EQ(parse_speed("32").error().reason, Absence::malformed);
  EXPECT_EQ(parse_speed("").error().reason, Absence::malformed);
  EXPECT_EQ(*parse_width("16"), 16);
  EXPECT_EQ(parse_width("0").error().reason, Absence::unsupported);
  EXPECT_EQ(parse_width("x16").error().reason, Absence::malformed);
}

TEST(Pci, PathsThatAreNone) {
  using node::pci::bridges_above;
  EXPECT_EQ(bridges_above("/sys/bus/pci/devices/0000:19:00.0", "0000:19:00.0").error().reason, Absence::unsupported);
  EXPECT_EQ(bridges_above("/sys/devices/pci0000:15/odd/0000:19:00.0", "0000:19:00.0").error().reason,
            Absence::malformed);
  EXPECT_TRUE(bridges_above("/sys/devices/pci0000:00/0000:00:03.0", "0000:00:03.0")->empty());
  // Behind an Intel VMD the tree begins anew, with a long domain.
  EXPECT_EQ(
      *bridges_above("/sys/devices/pci0000:00/0000:00:0e.0/pci10000:00/10000:00:01.0/10000:01:00.0", "10000:01:00.0"),
      TextList{"10000:00:01.0"});
}

}  // namespace
}  // namespace assay::testing
