#include <gmock/gmock.h>

#include "node/facts/tcp_detail.hpp"
#include "reading.hpp"

namespace assay::testing {
namespace {

constexpr auto kHead =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
const std::string kTable =
    std::string(kHead) +
    "   0: 00000000:24B8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 21 1 0 100 0 0 10 0\n"
    "   1: 0100007F:238C 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 22 1 0 100 0 0 10 0\n"
    "   2: 0100007F:D431 0100007F:238C 01 00000000:00000000 00:00000000 00000000     0        0 23 1 0 20 4 30 10 -1\n";
const std::string kTable6 =
    "  sl  local_address                         remote_address                        st tx_queue rx_queue tr "
    "tm->when retrnsmt   uid  timeout inode\n"
    "   0: 00000000000000000000000000000000:24B8 00000000000000000000000000000000:0000 0A 00000000:00000000 "
    "00:00000000 00000000     0        0 24 1 0 100 0 0 10 0\n"
    "   1: 00000000000000000000000001000000:0016 00000000000000000000000000000000:0000 0A 00000000:00000000 "
    "00:00000000 00000000     0        0 25 1 0 100 0 0 10 0\n";

TEST(Listen, TellsPortsAddressesAndProcesses) {
  TemporaryFolder tree;
  tree.write("/proc/net/tcp", kTable);
  tree.write("/proc/net/tcp6", kTable6);
  tree.write("/proc/1/stat", "1 (init) S 0 1 1\n");
  tree.write("/proc/60/stat", "60 (dcgm-exporter) S 1 1 1\n");
  tree.link("/proc/60/fd/3", "socket:[21]");
  tree.link("/proc/60/fd/4", "pipe:[22]");
  const Reading reading = read_tree("listen", tree.string());
  EXPECT_EQ(reading.text("", "listen.ports"), "22, 9100, 9400");
  EXPECT_EQ(reading.text("listen/9400", "listen.addresses"), "0.0.0.0, ::");
  EXPECT_EQ(reading.text("listen/9400", "listen.processes"), "dcgm-exporter");
  EXPECT_EQ(reading.text("listen/9100", "listen.addresses"), "127.0.0.1");
  EXPECT_EQ(reading.text("listen/9100", "listen.processes"), "<absent permission>");
  EXPECT_EQ(reading.text("listen/22", "listen.addresses"), "::1");
  EXPECT_THAT(reading.transcript, ::testing::HasSubstr("0: 00000000"));
  EXPECT_THAT(reading.transcript, ::testing::Not(::testing::HasSubstr("D431"))) << "a connection is no listener";
}

TEST(Listen, AKernelWithoutIPv6HasOneTable) {
  TemporaryFolder tree;
  tree.write("/proc/net/tcp", kHead);
  EXPECT_EQ(read_tree("listen", tree.string()).text("", "listen.ports"), "");
  tree.write("/proc/net/tcp6", "nonsense\n");
  EXPECT_EQ(read_tree("listen", tree.string()).text("", "listen.ports"), "<absent malformed>");
}

TEST(Listen, ATableThatCannotBeReadIsRefused) {
  EXPECT_FALSE(node::facts::parse_tcp(""));
  EXPECT_FALSE(node::facts::parse_tcp(kTable.substr(0, kTable.size() - 1)));
  EXPECT_FALSE(node::facts::parse_tcp(std::string(kHead) + "   0: 00000000:24B8 00000000:0000 0A\n"));
  EXPECT_FALSE(node::facts::parse_tcp(std::string(kHead) + "   0: 0000000:24B8 00000000:0000 0A 0:0 0:0 0 0 0 21 1\n"));
  EXPECT_FALSE(
      node::facts::parse_tcp(std::string(kHead) + "   0: 00000000:124B8 00000000:0000 0A 0:0 0:0 0 0 0 21 1\n"));
}

}  // namespace
}  // namespace assay::testing
