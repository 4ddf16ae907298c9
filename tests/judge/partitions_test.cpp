#include <gtest/gtest.h>

#include "fabric.hpp"

namespace assay::testing {
namespace {

constexpr auto kCheck = "security.infiniband-partitions";
const std::string kPort = "node/n1/hca/mlx5_0/port/1";

std::string with_keys(Value keys, const PortFacts& facts = {}) {
  Observations all = cluster_of({"n1"}, {"mlx5_0"}, facts);
  all.push_back(seen(port_path("n1", "mlx5_0"), "port.pkeys", std::move(keys)));
  return status_of(kCheck, all, kPort);
}

TEST(InfinibandPartitions, Sound) { EXPECT_EQ(with_keys(TextList{"0x7fff", "0x8001"}), "pass"); }

TEST(InfinibandPartitions, Unsound) {
  EXPECT_EQ(with_keys(TextList{"0xffff"}), "fail");
  EXPECT_EQ(with_keys(TextList{"0xffff", "0xa601"}), "fail");  // a tenant's key was added, the default stayed
  EXPECT_EQ(with_keys(TextList{"0x7fff", "0xffff"}), "fail");
}

TEST(InfinibandPartitions, ADownPortHasWhatItWasBornWith) {
  EXPECT_EQ(with_keys(TextList{"0xffff"}, {"DOWN", "Polling", 10}), "not_applicable");
}

TEST(InfinibandPartitions, RoceHasNoPartitions) {
  EXPECT_EQ(with_keys(TextList{"0xffff"}, {"ACTIVE", "LinkUp", 400, 4, "Ethernet"}), "not_applicable");
}

TEST(InfinibandPartitions, UnreadableAndMalformed) {
  Observations all = cluster_of({"n1"}, {"mlx5_0"});
  EXPECT_EQ(status_of(kCheck, all, kPort), "unknown");
  all.push_back(unseen(port_path("n1", "mlx5_0"), "port.pkeys", Absence::permission));
  EXPECT_EQ(status_of(kCheck, all, kPort), "unknown");
  EXPECT_EQ(with_keys(TextList{}), "unknown");
  EXPECT_EQ(with_keys("0x7fff"), "unknown");
}

TEST(InfinibandPartitions, NoRdma) { EXPECT_EQ(status_of(kCheck, no_rdma("n1"), "node/n1"), "not_applicable"); }

TEST(InfinibandPartitions, AnAdapterThatToldNoPortIsUnknown) {
  auto all = cluster_of({"n1", "n2", "n3"}, {"mlx5_0"});
  all = with(all, seen(node_path("n1"), "hca.names", TextList{"mlx5_0", "mlx5_7"}));
  EXPECT_EQ(status_of(kCheck, all, "node/n1/hca/mlx5_7/port/1"), "unknown");
}

}  // namespace
}  // namespace assay::testing
