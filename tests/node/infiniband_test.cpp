#include <gmock/gmock.h>

#include "reading.hpp"

namespace assay::testing {
namespace {

void add_port(const TemporaryFolder& tree, const std::string& hca, const std::string& layer) {
  const std::string folder = "/sys/class/infiniband/" + hca;
  const std::string port = folder + "/ports/1/";
  tree.write(folder + "/hca_type", "MT4129\n");
  tree.write(folder + "/fw_ver", "28.41.1000\n");
  tree.write(folder + "/board_id", "MT_0000000838\n");
  tree.write(folder + "/node_guid", "a088:c203:00ad:eab8\n");
  tree.write(port + "state", "4: ACTIVE\n");
  tree.write(port + "phys_state", "5: LinkUp\n");
  tree.write(port + "rate", "400 Gb/sec (4X NDR)\n");
  tree.write(port + "link_layer", layer + "\n");
  tree.write(port + "lid", "0x33bf\n");
  tree.write(port + "sm_lid", "0x1\n");
  tree.write(port + "cap_mask", "0xa651ec48\n");
  tree.write(port + "pkeys/0", "0x7fff\n");
  tree.write(port + "pkeys/1", "0x8001\n");
  tree.write(port + "pkeys/2", "0x0000\n");
  tree.write(port + "gids/0", "fe80:0000:0000:0000:0015:5dff:fd34:11eb\n");
  tree.write(port + "gids/1", "0000:0000:0000:0000:0000:ffff:0a6c:a424\n");
  tree.write(port + "gids/2", "0000:0000:0000:0000:0000:0000:0000:0000\n");
  tree.write(port + "gid_attrs/types/1", "RoCE v2\n");
  tree.write(port + "gid_attrs/ndevs/1", "eth1\n");
  tree.write(port + "counters/symbol_error", "3\n");
  tree.write(port + "counters/link_downed", "1\n");
  tree.write(port + "hw_counters/out_of_sequence", "7\n");
}

TEST(Infiniband, TellsAPort) {
  TemporaryFolder tree;
  add_port(tree, "mlx5_0", "InfiniBand");
  tree.write("/sys/devices/pci0000:15/0000:1a:00.0/net/ib0/mtu", "4092\n");
  tree.link("/sys/class/infiniband/mlx5_0/device", "../../../devices/pci0000:15/0000:1a:00.0");
  const Reading reading = read_tree("infiniband", tree.string());
  EXPECT_EQ(reading.text("", "hca.names"), "mlx5_0");
  EXPECT_EQ(reading.text("hca/mlx5_0", "hca.firmware"), "28.41.1000");
  EXPECT_EQ(reading.text("hca/mlx5_0", "hca.pci"), "0000:1a:00.0");
  EXPECT_EQ(reading.text("hca/mlx5_0", "hca.interfaces"), "ib0");
  const std::string port = "hca/mlx5_0/port/1";
  EXPECT_EQ(reading.text(port, "port.state"), "ACTIVE");
  EXPECT_EQ(reading.text(port, "port.phys-state"), "LinkUp");
  EXPECT_EQ(reading.text(port, "port.rate"), "400");
  EXPECT_EQ(reading.text(port, "port.lanes"), "4");
  EXPECT_EQ(reading.text(port, "port.speed"), "NDR");
  EXPECT_EQ(reading.text(port, "port.lid"), "13247");
  EXPECT_EQ(reading.text(port, "port.pkeys"), "0x7fff, 0x8001");
  EXPECT_EQ(reading.text(port, "port.gids"),
            "0=fe80:0000:0000:0000:0015:5dff:fd34:11eb , 1=0000:0000:0000:0000:0000:ffff:0a6c:a424 RoCE v2 eth1");
  EXPECT_EQ(reading.text(port, "port.counter.symbol_error"), "3");
  EXPECT_EQ(reading.text(port, "port.counter.link_error_recovery"), "<absent missing>");
  EXPECT_EQ(reading.text(port, "port.hw-counter.out_of_sequence"), "7");
}

TEST(Infiniband, AnEmptyFileIsMissing) {
  TemporaryFolder tree;
  add_port(tree, "rxe0", "Ethernet");
  tree.write("/sys/class/infiniband/rxe0/fw_ver", "");
  const Reading reading = read_tree("infiniband", tree.string());
  EXPECT_EQ(reading.text("hca/rxe0", "hca.firmware"), "<absent missing>");
  EXPECT_EQ(reading.text("hca/rxe0", "hca.pci"), "<absent missing>");
}

TEST(Infiniband, WhatIsNoNumberIsMalformed) {
  TemporaryFolder tree;
  add_port(tree, "mlx5_0", "InfiniBand");
  const std::string folder = "/sys/class/infiniband/mlx5_0/ports/1/";
  tree.write(folder + "rate", "fast\n");
  tree.write(folder + "state", "ACTIVE\n");
  tree.write(folder + "pkeys/1", "0x18001\n");
  tree.write(folder + "counters/symbol_error", "error 5\n");
  const Reading reading = read_tree("infiniband", tree.string());
  const std::string port = "hca/mlx5_0/port/1";
  EXPECT_EQ(reading.text(port, "port.rate"), "<absent malformed>");
  EXPECT_EQ(reading.text(port, "port.state"), "<absent malformed>");
  EXPECT_EQ(reading.text(port, "port.pkeys"), "<absent malformed>");
  EXPECT_EQ(reading.text(port, "port.counter.symbol_error"), "<absent malformed>");
}

TEST(Infiniband, NoRdmaIsMissing) {
  TemporaryFolder tree;
  tree.write("/sys/class/net/lo/mtu", "65536\n");
  EXPECT_EQ(read_tree("infiniband", tree.string()).text("", "hca.names"), "<absent missing>");
  TemporaryFolder image;
  EXPECT_EQ(read_tree("infiniband", image.string()).text("", "hca.names"), "<absent unsupported>");
}

// The capture: mlx5_0, 1 and 9 InfiniBand at 400, mlx5_bond_0 Ethernet at 200; mlx5_1 went down 255 times or more.
TEST(Infiniband, ReadsTheCapturedNode) {
  if (samples().empty()) GTEST_SKIP() << "no captures beside this checkout";
  TemporaryFolder tree;
  tree.link("/sys/class/infiniband", "../../capture");
  std::filesystem::copy(samples() / "nodes/sysfs-proc/gpud-h100-sys-class-infiniband", tree.path() / "capture",
                        std::filesystem::copy_options::recursive);
  const Reading reading = read_tree("infiniband", tree.string());
  EXPECT_EQ(reading.text("", "hca.names"), "mlx5_0, mlx5_1, mlx5_9, mlx5_bond_0");
  EXPECT_EQ(reading.text("hca/mlx5_bond_0", "hca.type"), "MT41692");
  EXPECT_EQ(reading.text("hca/mlx5_bond_0/port/1", "port.rate"), "200");
  EXPECT_EQ(reading.text("hca/mlx5_bond_0/port/1", "port.lanes"), "2");
  EXPECT_EQ(reading.text("hca/mlx5_bond_0/port/1", "port.link-layer"), "Ethernet");
  EXPECT_EQ(reading.text("hca/mlx5_1/port/1", "port.counter.link_downed"), "255");
  EXPECT_EQ(reading.text("hca/mlx5_1/port/1", "port.counter.port_rcv_data"), "205128687774249");
  EXPECT_EQ(reading.text("hca/mlx5_9/port/1", "port.counter.excessive_buffer_overrun_errors"), "15");
  EXPECT_EQ(reading.text("hca/mlx5_9/port/1", "port.pkeys"), "<absent missing>");
}

TEST(Infiniband, ASosreportTellsWhatIbstatPrinted) {
  TemporaryFolder tree;
  tree.write("/sos_commands/infiniband/ibstat",
             "CA 'mlx5_0'\n\tCA type: MT4129\n\tNumber of ports: 1\n\tFirmware version: 28.39.1002\n\tPort 1:\n"
             "\t\tState: Initializing\n\t\tPhysical state: LinkUp\n\t\tRate: 400\n\t\tBase lid: 12\n\t\tSM lid: 0\n"
             "\t\tLink layer: InfiniBand\nibpanic: [14] main: stat of IB device 'mlx5_8' failed: No such file\n");
  const Reading reading = read_tree("infiniband", tree.string());
  EXPECT_EQ(reading.text("", "hca.names"), "mlx5_0, mlx5_8");
  EXPECT_EQ(reading.text("hca/mlx5_0/port/1", "port.state"), "INIT");
  EXPECT_EQ(reading.text("hca/mlx5_0/port/1", "port.rate"), "400");
  EXPECT_EQ(reading.text("hca/mlx5_0/port/1", "port.lid"), "12");
  EXPECT_EQ(reading.text("hca/mlx5_0/port/1", "port.pkeys"), "<absent unsupported>");
  EXPECT_EQ(reading.text("hca/mlx5_8", "hca.type"), "<absent malformed>");
}

}  // namespace
}  // namespace assay::testing
