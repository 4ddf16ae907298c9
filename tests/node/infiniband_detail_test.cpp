#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "node/facts/infiniband_detail.hpp"
#include "testing.hpp"

namespace assay::testing {
namespace {

using namespace node::infiniband;

std::string sample(const std::string& name) { return read_file(samples() / "nodes/infiniband" / name); }

int with_state(const Listing& listing, const std::string& state, const std::string& phys) {
  int count = 0;
  for (const auto& [name, adapter] : listing.adapters)
    for (const auto& [number, port] : adapter.ports) count += port.state == state && port.phys_state == phys ? 1 : 0;
  return count;
}

TEST(InfinibandText, Rates) {
  EXPECT_EQ(parse_rate("400 Gb/sec (4X NDR)")->gigabits, 400);
  EXPECT_EQ(parse_rate("200 Gb/sec (2X NDR)")->lanes, 2);
  EXPECT_EQ(parse_rate("2.5 Gb/sec (1X SDR)")->gigabits, 2.5);
  EXPECT_EQ(parse_rate("10 Gb/sec (4X)")->speed, "");
  for (const char* bad : {"", "400", "400 Gb/sec", "400 Gb/sec (4X NDR", "400 Gb/sec (X NDR)", "-1 Gb/sec (4X NDR)",
                          "400 Gb/sec 4X NDR)", "unknown Gb/sec (4X NDR)", "400 Gb/sec (4X NDR) more"})
    EXPECT_FALSE(parse_rate(bad)) << bad;
}

TEST(InfinibandText, States) {
  EXPECT_EQ(*parse_state("4: ACTIVE"), "ACTIVE");
  EXPECT_EQ(*parse_state("5: LinkUp"), "LinkUp");
  for (const char* bad : {"", "ACTIVE", "4:", "4: ", "x: ACTIVE", "7: <unknown>"})
    EXPECT_FALSE(parse_state(bad)) << bad;
}

TEST(InfinibandText, IbstatExcerpt) {
  const auto listing = parse_ibstat(
      "CA 'mlx5_0'\n\tCA type: MT4129\n\tNumber of ports: 1\n\tFirmware version: 28.39.1002\n\tHardware version: 0\n"
      "\tNode GUID: 0xa088c20300adeab8\n\tSystem image GUID: 0xa088c20300adeab8\n\tPort 1:\n\t\tState: Active\n"
      "\t\tPhysical state: LinkUp\n\t\tRate: 400\n\t\tBase lid: 7\n\t\tLMC: 0\n\t\tSM lid: 1\n"
      "\t\tCapability mask: 0x00010000\n\t\tPort GUID: 0xa288c2fffeadeab8\n\t\tLink layer: InfiniBand\n"
      "CA 'mlx5_11'\n\tCA type: MT4125\n\tNumber of ports: 1\n\tFirmware version: 22.39.1002\n\tPort 1:\n"
      "\t\tState: Down\n\t\tPhysical state: Polling\n\t\tRate: 40\n\t\tBase lid: 0\n\t\tSM lid: 0\n"
      "\t\tLink layer: Ethernet\n"
      "ibpanic: [1400444] main: stat of IB device 'mlx5_8' failed: No such file or directory\n");
  ASSERT_TRUE(listing) << listing.error().detail;
  EXPECT_EQ(listing->adapters.size(), 2u);
  EXPECT_EQ(listing->adapters.at("mlx5_0").firmware, "28.39.1002");
  EXPECT_EQ(listing->adapters.at("mlx5_0").ports.at(1).rate->gigabits, 400);
  EXPECT_EQ(listing->adapters.at("mlx5_0").ports.at(1).lid, 7);
  EXPECT_EQ(with_state(*listing, "ACTIVE", "LinkUp"), 1);
  EXPECT_EQ(with_state(*listing, "DOWN", "Polling"), 1);
  EXPECT_EQ(listing->adapters.at("mlx5_11").ports.at(1).link_layer, "Ethernet");
  EXPECT_TRUE(listing->failed.contains("mlx5_8"));
}

TEST(InfinibandText, IbstatusExcerpt) {
  const auto listing = parse_ibstatus(
      "Infiniband device 'mlx5_0' port 1 status:\n\tdefault gid:\t fe80:0000:0000:0000:0015:5dff:fd34:11eb\n"
      "\tbase lid:\t 0x33bf\n\tsm lid:\t\t 0x1\n\tstate:\t\t 4: ACTIVE\n\tphys state:\t 5: LinkUp\n"
      "\trate:\t\t 200 Gb/sec (4X HDR)\n\tlink_layer:\t InfiniBand\n\n");
  ASSERT_TRUE(listing) << listing.error().detail;
  EXPECT_EQ(listing->adapters.at("mlx5_0").ports.at(1).lid, 0x33bf);
  EXPECT_EQ(listing->adapters.at("mlx5_0").ports.at(1).rate->gigabits, 200);
  EXPECT_EQ(listing->adapters.at("mlx5_0").ports.at(1).state, "ACTIVE");
}

TEST(InfinibandText, ShowGidsExcerpt) {
  const auto gids = parse_show_gids(
      "DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4  \t\tVER\tDEV\n---\t----\t-----\t---\t\t\t\t\t------------  \t---\t---\n"
      "mlx5_0\t1\t0\tfe80:0000:0000:0000:0ac0:ebff:fe21:03da\t\t\tv1\trdma0\n"
      "mlx5_0\t1\t3\t0000:0000:0000:0000:0000:ffff:c0a8:d3f2\t192.168.211.242  \tv2\trdma0\nn_gids_found=2\n");
  ASSERT_TRUE(gids) << gids.error().detail;
  ASSERT_EQ(gids->size(), 2u);
  EXPECT_EQ((*gids)[0].text(), "fe80:0000:0000:0000:0ac0:ebff:fe21:03da IB/RoCE v1 rdma0");
  EXPECT_EQ((*gids)[1].text(), "0000:0000:0000:0000:0000:ffff:c0a8:d3f2 RoCE v2 rdma0");
  EXPECT_EQ((*gids)[1].index, 3);
}

TEST(InfinibandText, IbstatSamples) {
  if (samples().empty()) GTEST_SKIP() << "no captures beside this checkout";
  const auto roce = parse_ibstat(sample("ibstat-12port-h100-roce-polling.txt"));
  ASSERT_TRUE(roce);
  EXPECT_EQ(roce->adapters.size(), 12u);
  EXPECT_EQ(with_state(*roce, "ACTIVE", "LinkUp"), 10);
  EXPECT_EQ(roce->adapters.at("mlx5_11").ports.at(1).phys_state, "Polling");
  EXPECT_EQ(roce->adapters.at("mlx5_5").ports.at(1).phys_state, "Disabled");
  const auto down = parse_ibstat(sample("ibstat-12port-h100-3-eth-down.txt"));
  ASSERT_TRUE(down);
  EXPECT_EQ(with_state(*down, "DOWN", "Disabled"), 3);
  EXPECT_EQ(with_state(*down, "ACTIVE", "LinkUp"), 9);
  const auto panic = parse_ibstat(sample("ibstat-8xa100-ibpanic-exit255.txt"));
  ASSERT_TRUE(panic);
  EXPECT_EQ(panic->adapters.size(), 8u);
  EXPECT_TRUE(panic->failed.contains("mlx5_8"));
  EXPECT_EQ(panic->adapters.at("mlx5_0").firmware, "20.41.1000");
  const auto active = parse_ibstat(sample("ibstat-h100-all-active-2.txt"));
  ASSERT_TRUE(active);
  EXPECT_EQ(active->adapters.size(), 9u);
  EXPECT_EQ(active->adapters.at("mlx5_bond_0").ports.at(1).rate->gigabits, 200);
  EXPECT_EQ(active->adapters.at("mlx5_bond_0").ports.at(1).link_layer, "Ethernet");
}

TEST(InfinibandText, IbstatusSample) {
  if (samples().empty()) GTEST_SKIP() << "no captures beside this checkout";
  const auto listing = parse_ibstatus(sample("ibstatus-a100-all-active.txt"));
  ASSERT_TRUE(listing);
  EXPECT_EQ(listing->adapters.size(), 9u);
  EXPECT_EQ(listing->adapters.at("mlx5_0").ports.at(1).lid, 0x33bf);
  EXPECT_EQ(listing->adapters.at("mlx5_8").ports.at(1).rate->gigabits, 40);
  EXPECT_EQ(listing->adapters.at("mlx5_8").ports.at(1).link_layer, "Ethernet");
}

TEST(InfinibandText, ShowGidsSamples) {
  if (samples().empty()) GTEST_SKIP() << "no captures beside this checkout";
  const auto one = parse_show_gids(sample("show_gids-roce-one-port.txt"));
  ASSERT_TRUE(one);
  ASSERT_EQ(one->size(), 4u);
  EXPECT_EQ((*one)[3].text(), "0000:0000:0000:0000:0000:ffff:c0a8:d3f2 RoCE v2 rdma0");
  const auto four = parse_show_gids(sample("show_gids-ibdev2netdev-4port-one-down.txt"));
  ASSERT_TRUE(four);
  EXPECT_EQ(four->size(), 7u);
  EXPECT_EQ(four->back().adapter, "mlx5_2");
  EXPECT_EQ(four->back().interface, "eth03");
}

TEST(InfinibandText, CutTextIsRefused) {
  const std::string whole =
      "CA 'mlx5_0'\n CA type: MT4129\n Number of ports: 1\n Port 1:\n  State: Active\n  Physical state: LinkUp\n"
      "  Rate: 400\n  Link layer: InfiniBand\n";
  EXPECT_TRUE(parse_ibstat(whole));
  EXPECT_FALSE(parse_ibstat(whole.substr(0, whole.find("  Link"))));
  EXPECT_FALSE(parse_ibstat(whole.substr(0, whole.find(" Port 1"))));
  EXPECT_FALSE(parse_ibstat(""));
  EXPECT_FALSE(parse_ibstat("bash: ibstat: command not found\n"));
  EXPECT_FALSE(parse_ibstatus("Infiniband device 'mlx5_0' port 1 status:\n\tstate: 4: ACTIVE\n"));
  EXPECT_FALSE(parse_ibstatus("ibstatus: no devices\n"));
  EXPECT_FALSE(parse_show_gids("DEV PORT INDEX GID IPv4 VER DEV\nmlx5_0 1 zero fe80:: v1 eth0\n"));
  EXPECT_FALSE(parse_show_gids(""));
}

TEST(InfinibandText, AnyTextIsReadOrRefused) {
  rc::check([](const std::string& noise) {
    parse_ibstat("CA 'mlx5_0'\n" + noise);
    parse_ibstatus("Infiniband device 'mlx5_0' port 1 status:\n" + noise);
    parse_show_gids("DEV PORT INDEX GID IPv4 VER DEV\n" + noise);
    parse_rate(noise);
    parse_state(noise);
  });
}

}  // namespace
}  // namespace assay::testing
