#include <gtest/gtest.h>

#include "fabric.hpp"

namespace assay::testing {
namespace {

constexpr auto kCheck = "networking.ib-port-rate";
const std::string kPort = "node/n1/hca/mlx5_1/port/1";

Observations three() { return cluster_of({"n1", "n2", "n3"}, {"mlx5_0", "mlx5_1"}); }
PortFacts at(double rate, std::int64_t lanes = 4) { return {"ACTIVE", "LinkUp", rate, lanes}; }

TEST(IbPortRate, Sound) { EXPECT_EQ(status_of(kCheck, three(), kPort), "pass"); }

TEST(IbPortRate, BelowItsSiblings) {
  EXPECT_EQ(status_of(kCheck, on_port(three(), "n1", "mlx5_1", at(200)), kPort), "fail");
  EXPECT_EQ(status_of(kCheck, on_port(three(), "n1", "mlx5_1", at(200)), "node/n2/hca/mlx5_1/port/1"), "pass");
}

TEST(IbPortRate, SlowerEverywhereIsHowItWasBuilt) {
  Observations all = three();
  for (const char* node : {"n1", "n2", "n3"}) all = on_port(std::move(all), node, "mlx5_1", at(200, 2));
  EXPECT_EQ(status_of(kCheck, all, kPort), "pass");
}

TEST(IbPortRate, OneLaneIsNeverMeant) {
  Observations all = three();
  for (const char* node : {"n1", "n2", "n3"}) all = on_port(std::move(all), node, "mlx5_1", at(100, 1));
  EXPECT_EQ(status_of(kCheck, all, kPort), "fail");
  PortFacts roce = at(25, 1);
  roce.layer = "Ethernet";  // 25 Gbit/s Ethernet is one lane
  for (const char* node : {"n1", "n2", "n3"}) all = on_port(std::move(all), node, "mlx5_1", roce);
  EXPECT_EQ(status_of(kCheck, all, kPort), "pass");
}

TEST(IbPortRate, AnotherModelIsNoSibling) {
  PortFacts other = at(100);
  other.model = "MT4125";
  EXPECT_EQ(status_of(kCheck, on_port(three(), "n1", "mlx5_1", other), kPort), "unknown");
}

TEST(IbPortRate, NoMajority) {
  const Observations two = cluster_of({"n1", "n2"}, {"mlx5_1"});
  EXPECT_EQ(status_of(kCheck, on_port(two, "n1", "mlx5_1", at(200)), ""), "warn");
  EXPECT_EQ(status_of(kCheck, on_port(two, "n1", "mlx5_1", at(200)), kPort), "unknown");
}

TEST(IbPortRate, HalfThatAgreeAreNoMajority) {
  auto all = cluster_of({"n1", "n2", "n3", "n4"}, {"mlx5_1"});
  all = on_port(on_port(std::move(all), "n1", "mlx5_1", at(200)), "n2", "mlx5_1", at(100));
  EXPECT_EQ(status_of(kCheck, all, ""), "warn");
  EXPECT_EQ(status_of(kCheck, all, kPort), "unknown");
  // A port that is down has no rate to compare.
  all = on_port(std::move(all), "n2", "mlx5_1", {"DOWN", "Polling", 10});
  EXPECT_EQ(status_of(kCheck, all, kPort), "fail");
}

TEST(IbPortRate, AFewThatToldDoNotOutvote) {
  auto all = on_port(three(), "n1", "mlx5_1", at(200));
  all = with(std::move(all), unseen(port_path("n3", "mlx5_1"), "port.rate", Absence::timeout));
  EXPECT_EQ(status_of(kCheck, all, ""), "warn");
  EXPECT_EQ(status_of(kCheck, all, kPort), "unknown");
  auto unreachable = on_port(three(), "n1", "mlx5_1", at(200));
  unreachable.push_back(unseen(node_path("n4"), "hca.names", Absence::timeout));
  EXPECT_EQ(status_of(kCheck, unreachable, kPort), "unknown");
  all = on_port(std::move(all), "n1", "mlx5_1", at(400));  // two of three agree
  EXPECT_EQ(status_of(kCheck, all, kPort), "pass");
}

TEST(IbPortRate, OneNodeAlone) {
  const Observations one = cluster_of({"n1"}, {"mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3"});
  EXPECT_EQ(status_of(kCheck, one, kPort), "pass");
  EXPECT_EQ(status_of(kCheck, on_port(one, "n1", "mlx5_1", at(200)), kPort), "fail");
  EXPECT_EQ(status_of(kCheck, cluster_of({"n1"}, {"mlx5_1"}), kPort), "unknown");
}

TEST(IbPortRate, UnreadableAndMalformed) {
  const auto path = port_path("n1", "mlx5_1");
  EXPECT_EQ(status_of(kCheck, with(three(), unseen(path, "port.rate", Absence::malformed)), kPort), "unknown");
  EXPECT_EQ(status_of(kCheck, with(three(), seen(path, "port.rate", "400 Gb/sec")), kPort), "unknown");
  EXPECT_EQ(status_of(kCheck, with(three(), unseen(path, "port.state", Absence::timeout)), kPort), "unknown");
}

TEST(IbPortRate, NotActiveOrNoRdma) {
  EXPECT_EQ(status_of(kCheck, on_port(three(), "n1", "mlx5_1", {"DOWN", "Polling", 10}), kPort), "<none>");
  const Observations down = cluster_of({"n1"}, {"mlx5_0"}, {"DOWN", "Polling", 10});
  EXPECT_EQ(status_of(kCheck, down, "node/n1"), "unknown");
  EXPECT_EQ(status_of(kCheck, no_rdma("n1"), "node/n1"), "not_applicable");
}

TEST(IbPortRate, AnAdapterThatToldNoPortIsUnknown) {
  auto all = cluster_of({"n1", "n2", "n3"}, {"mlx5_0"});
  all = with(all, seen(node_path("n1"), "hca.names", TextList{"mlx5_0", "mlx5_7"}));
  EXPECT_EQ(status_of(kCheck, all, "node/n1/hca/mlx5_7/port/1"), "unknown");
}

TEST(IbPortRate, OfWhichKindAPortIsMustBeSeen) {
  const auto all = on_port(cluster_of({"n1", "n2", "n3"}, {"mlx5_0"}), "n3", "mlx5_0", {.rate = 100});
  const std::string odd = "node/n3/hca/mlx5_0/port/1";
  EXPECT_EQ(status_of(kCheck, all, odd), "fail");
  EXPECT_EQ(status_of(kCheck, with(all, unseen(port_path("n3", "mlx5_0"), "port.link-layer", Absence::timeout)), odd),
            "unknown");
  EXPECT_EQ(status_of(kCheck, with(all, seen(node_path("n3") + "/hca/mlx5_0", "hca.type", std::int64_t{1})), odd),
            "unknown");
  auto nameless = all;
  for (const char* node : {"n1", "n2", "n3"})
    nameless = with(nameless, unseen(node_path(node) + "/hca/mlx5_0", "hca.type", Absence::missing));
  EXPECT_EQ(status_of(kCheck, nameless, odd), "fail") << "its driver has no name for it, on any node";
  // Those of any model count among those of which most are asked.
  auto more = on_port(cluster_of({"n1", "n2", "n3", "n4", "n5"}, {"mlx5_0"}), "n3", "mlx5_0", {.rate = 100});
  for (const char* node : {"n4", "n5"})
    more = with(more, unseen(node_path(node) + "/hca/mlx5_0", "hca.type", Absence::timeout));
  EXPECT_EQ(status_of(kCheck, more, odd), "unknown");
}

}  // namespace
}  // namespace assay::testing
