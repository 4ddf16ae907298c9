#include <gtest/gtest.h>

#include "fabric.hpp"

namespace assay::testing {
namespace {

constexpr auto kCheck = "networking.ib-port-up";
const std::string kPort = "node/n1/hca/mlx5_1/port/1";
const PortFacts kPolling{"DOWN", "Polling", 10};
const PortFacts kDisabled{"DOWN", "Disabled", 40};

Observations three() { return cluster_of({"n1", "n2", "n3"}, {"mlx5_0", "mlx5_1"}); }

TEST(IbPortUp, Sound) { EXPECT_EQ(status_of(kCheck, three(), kPort), "pass"); }

TEST(IbPortUp, DownHereAndUpElsewhere) {
  EXPECT_EQ(status_of(kCheck, on_port(three(), "n1", "mlx5_1", kPolling), kPort), "fail");
  EXPECT_EQ(status_of(kCheck, on_port(three(), "n1", "mlx5_1", kDisabled), kPort), "fail");
  EXPECT_EQ(status_of(kCheck, on_port(three(), "n1", "mlx5_1", kPolling), "node/n2/hca/mlx5_1/port/1"), "pass");
}

TEST(IbPortUp, ASpareThatIsDownEverywhereIsNone) {
  Observations all = three();
  for (const char* node : {"n1", "n2", "n3"}) all = on_port(std::move(all), node, "mlx5_1", kDisabled);
  EXPECT_EQ(status_of(kCheck, all, kPort), "not_applicable");
  EXPECT_EQ(status_of(kCheck, on_port(all, "n3", "mlx5_1", {}), kPort), "not_applicable");
}

TEST(IbPortUp, DownOnMostButUpSomewhereMayBeADeadSwitch) {
  Observations all = three();
  for (const char* node : {"n1", "n2"}) all = on_port(std::move(all), node, "mlx5_1", kPolling);
  EXPECT_EQ(status_of(kCheck, all, kPort), "warn");
  EXPECT_EQ(status_of(kCheck, all, "node/n2/hca/mlx5_1/port/1"), "warn");
  EXPECT_EQ(status_of(kCheck, all, "node/n3/hca/mlx5_1/port/1"), "pass");
  all = on_port(std::move(all), "n3", "mlx5_1", {"INIT", "LinkUp"});  // cabled, though nobody manages it
  EXPECT_EQ(status_of(kCheck, all, kPort), "warn");
  all = on_port(std::move(all), "n3", "mlx5_1", kPolling);  // cabled nowhere
  EXPECT_EQ(status_of(kCheck, all, kPort), "not_applicable");
  EXPECT_EQ(status_of(kCheck, with(all, unseen(node_path("n4"), "hca.names", Absence::timeout)), kPort), "unknown");
  all = with(std::move(all), unseen(port_path("n3", "mlx5_1"), "port.state", Absence::timeout));
  EXPECT_EQ(status_of(kCheck, all, kPort), "unknown");
}

TEST(IbPortUp, AFewThatToldDoNotOutvote) {
  Observations all = cluster_of({"n1", "n2", "n3", "n4", "n5"}, {"mlx5_1"});
  all = on_port(std::move(all), "n1", "mlx5_1", kPolling);
  EXPECT_EQ(status_of(kCheck, all, kPort), "fail");
  for (const char* node : {"n4", "n5"})
    all = with(std::move(all), unseen(port_path(node, "mlx5_1"), "port.state", Absence::timeout));
  EXPECT_EQ(status_of(kCheck, all, kPort), "warn");
}

TEST(IbPortUp, HalfAndHalfIsSaidOfTheCluster) {
  const Observations two = cluster_of({"n1", "n2"}, {"mlx5_0", "mlx5_1"});
  const Observations all = on_port(two, "n1", "mlx5_1", kPolling);
  EXPECT_EQ(status_of(kCheck, all, ""), "warn");
  EXPECT_EQ(status_of(kCheck, all, kPort), "unknown");
}

TEST(IbPortUp, NoSubnetManager) {
  Observations all = three();
  for (const char* node : {"n1", "n2", "n3"}) all = on_port(std::move(all), node, "mlx5_1", {"INIT", "LinkUp"});
  EXPECT_EQ(status_of(kCheck, all, kPort), "fail");
}

TEST(IbPortUp, OneNodeAlone) {
  const Observations one = cluster_of({"n1"}, {"mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3"});
  EXPECT_EQ(status_of(kCheck, on_port(one, "n1", "mlx5_1", kPolling), kPort), "warn");
  EXPECT_EQ(status_of(kCheck, on_port(one, "n1", "mlx5_1", kDisabled), kPort), "warn");
  // The second port of a card, switched off; one neighbor is no pattern.
  const Observations card = cluster_of({"n1"}, {"mlx5_0", "mlx5_1"});
  EXPECT_EQ(status_of(kCheck, on_port(card, "n1", "mlx5_1", kDisabled), kPort), "not_applicable");
  // A model of its own, switched off: the front end that nobody cabled.
  EXPECT_EQ(status_of(kCheck, on_port(one, "n1", "mlx5_1", {"DOWN", "Disabled", 40, 4, "Ethernet", "MT4125"}), kPort),
            "not_applicable");
}

TEST(IbPortUp, Unreadable) {
  const auto path = port_path("n1", "mlx5_1");
  EXPECT_EQ(status_of(kCheck, with(three(), unseen(path, "port.state", Absence::timeout)), kPort), "unknown");
  EXPECT_EQ(status_of(kCheck, {unseen(node_path("n1"), "hca.names", Absence::permission)}, "node/n1"), "unknown");
}

TEST(IbPortUp, Malformed) {
  const auto path = port_path("n1", "mlx5_1");
  EXPECT_EQ(status_of(kCheck, with(three(), seen(path, "port.state", std::int64_t{4})), kPort), "unknown");
}

TEST(IbPortUp, NoRdma) {
  EXPECT_EQ(status_of(kCheck, no_rdma("n1"), "node/n1"), "not_applicable");
  Observations hidden = no_rdma("n1");
  hidden.push_back(seen("cluster/c/node/n1/pci/0000:1a:00.0", "pci.class", "020700"));
  EXPECT_EQ(status_of(kCheck, hidden, "node/n1"), "unknown");
}

TEST(IbPortUp, AnAdapterThatToldNoPortIsUnknown) {
  auto all = cluster_of({"n1", "n2", "n3"}, {"mlx5_0"});
  all = with(all, seen(node_path("n1"), "hca.names", TextList{"mlx5_0", "mlx5_7"}));
  EXPECT_EQ(status_of(kCheck, all, "node/n1/hca/mlx5_7/port/1"), "unknown");
}

TEST(IbPortUp, WhetherADisabledPortsLikeAreUpMustBeSeen) {
  auto all = cluster_of({"n1"}, {"mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3"});
  all = on_port(all, "n1", "mlx5_0", {.state = "DOWN", .phys = "Disabled"});
  const std::string port = "node/n1/hca/mlx5_0/port/1";
  EXPECT_EQ(status_of(kCheck, all, port), "warn");
  for (const char* hca : {"mlx5_1", "mlx5_2", "mlx5_3"})
    all = with(all, unseen(port_path("n1", hca), "port.state", Absence::timeout));
  EXPECT_EQ(status_of(kCheck, all, port), "unknown");
}

}  // namespace
}  // namespace assay::testing
