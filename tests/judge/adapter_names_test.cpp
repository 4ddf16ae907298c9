#include <gtest/gtest.h>

#include "fabric.hpp"

namespace assay::testing {
namespace {

constexpr auto kCheck = "networking.hca-naming";

Observation placed(const std::string& node, const std::string& hca, const std::string& address) {
  return seen(node_path(node) + "/hca/" + hca, "hca.pci", address);
}

Observations three() {
  Observations all = cluster_of({"n1", "n2", "n3"}, {"mlx5_0", "mlx5_1"});
  for (const char* node : {"n1", "n2", "n3"}) {
    all.push_back(placed(node, "mlx5_0", "0000:1a:00.0"));
    all.push_back(placed(node, "mlx5_1", "0000:3c:00.0"));
  }
  return all;
}

TEST(HcaNaming, Sound) { EXPECT_EQ(status_of(kCheck, three(), "node/n1"), "pass"); }

TEST(HcaNaming, OneNodeDiffers) {
  const auto all = with(three(), seen(node_path("n2"), "hca.names", TextList{"ibp26s0", "ibp60s0"}));
  EXPECT_EQ(status_of(kCheck, all, "node/n2"), "fail");
  EXPECT_EQ(status_of(kCheck, all, "node/n1"), "pass");
  EXPECT_EQ(judged(kCheck, all).at("node/n2").why,
            "unlike most nodes, it has no mlx5_0, mlx5_1 and has ibp26s0, ibp60s0");
}

TEST(HcaNaming, OneNodeHasNoneAtAll) {
  const auto all = with(three(), unseen(node_path("n2"), "hca.names", Absence::missing));
  EXPECT_EQ(status_of(kCheck, all, "node/n2"), "fail");
}

TEST(HcaNaming, TwoNamesSwapped) {
  const auto all = with(with(three(), placed("n3", "mlx5_0", "0000:3c:00.0")), placed("n3", "mlx5_1", "0000:1a:00.0"));
  EXPECT_EQ(status_of(kCheck, all, "node/n3"), "fail");
  EXPECT_EQ(status_of(kCheck, all, "node/n1"), "pass");
}

TEST(HcaNaming, OtherSlotsAreAnotherChassis) {
  const auto all = with(with(three(), placed("n3", "mlx5_0", "0000:0c:00.0")), placed("n3", "mlx5_1", "0000:12:00.0"));
  EXPECT_EQ(status_of(kCheck, all, "node/n3"), "pass");
}

TEST(HcaNaming, NoMajority) {
  auto all = cluster_of({"n1", "n2"}, {"mlx5_0"});
  all = with(std::move(all), seen(node_path("n2"), "hca.names", TextList{"ibp26s0"}));
  EXPECT_EQ(status_of(kCheck, all, ""), "warn");
  EXPECT_EQ(status_of(kCheck, all, "node/n1"), "unknown");
}

TEST(HcaNaming, TheMostFrequentIsNoMajority) {
  auto all = cluster_of({"n1", "n2", "n3", "n4"}, {"mlx5_0"});
  all = with(std::move(all), seen(node_path("n3"), "hca.names", TextList{"ibp26s0"}));
  all = with(std::move(all), seen(node_path("n4"), "hca.names", TextList{"roce0"}));
  EXPECT_EQ(status_of(kCheck, all, ""), "warn");
  EXPECT_EQ(status_of(kCheck, all, "node/n3"), "unknown");
}

TEST(HcaNaming, AFewThatToldDoNotOutvote) {
  auto all = with(three(), seen(node_path("n1"), "hca.names", TextList{"ibp26s0"}));
  all = with(std::move(all), unseen(node_path("n3"), "hca.names", Absence::timeout));
  EXPECT_EQ(status_of(kCheck, all, ""), "warn");
  EXPECT_EQ(status_of(kCheck, all, "node/n1"), "unknown");
}

TEST(HcaNaming, SlotsThatWereNotSeenAreUnknown) {
  const auto hidden = unseen(node_path("n1") + "/hca/mlx5_0", "hca.pci", Absence::permission);
  EXPECT_EQ(status_of(kCheck, with(three(), hidden), "node/n1"), "unknown");
  EXPECT_EQ(status_of(kCheck, with(three(), hidden), "node/n2"), "pass");
}

TEST(HcaNaming, UnreadableMalformedAndAlone) {
  EXPECT_EQ(status_of(kCheck, with(three(), unseen(node_path("n1"), "hca.names", Absence::timeout)), "node/n1"),
            "unknown");
  EXPECT_EQ(status_of(kCheck, with(three(), seen(node_path("n1"), "hca.names", "mlx5_0")), "node/n1"), "unknown");
  EXPECT_EQ(status_of(kCheck, cluster_of({"n1"}, {"mlx5_0"}), "node/n1"), "unknown");
}

TEST(HcaNaming, NoRdma) { EXPECT_EQ(status_of(kCheck, no_rdma("n1"), "node/n1"), "not_applicable"); }

}  // namespace
}  // namespace assay::testing
