#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fabric.hpp"

namespace assay::testing {
namespace {

constexpr auto kForced = "networking.nccl-not-forced";
constexpr auto kRoce = "networking.nccl-conf-roce";
const PortFacts kEthernet{"ACTIVE", "LinkUp", 400, 4, "Ethernet"};

// A node that says nothing to NCCL.
Observations silent() {
  return {unseen(node_path("n1"), "nccl.conf", Absence::missing),
          unseen(node_path("n1"), "nccl.system-environment", Absence::missing),
          seen(node_path("n1"), "nccl.profile", Record{})};
}

Observations said(const std::string& place, Record settings, Observations all = silent()) {
  return with(std::move(all), seen(node_path("n1"), place, std::move(settings)));
}

std::string forced(const Observations& all) { return status_of(kForced, all, "node/n1"); }
std::string roce(const Observations& all) { return status_of(kRoce, all, "node/n1"); }

TEST(NcclNotForced, Sound) {
  EXPECT_EQ(forced(silent()), "pass");
  EXPECT_EQ(forced(said("nccl.conf", {{"NCCL_DEBUG", "WARN"}, {"NCCL_IB_HCA", "mlx5"}})), "pass");
}

TEST(NcclNotForced, Unsound) {
  EXPECT_EQ(forced(said("nccl.conf", {{"NCCL_ALGO", "Ring"}})), "fail");
  EXPECT_EQ(forced(said("nccl.system-environment", {{"NCCL_PROTO", "Simple"}})), "fail");
  EXPECT_EQ(forced(said("nccl.profile", {{"NCCL_MIN_NCHANNELS", "32"}})), "fail");
}

TEST(NcclNotForced, UnderAConditionItIsAWarning) {
  EXPECT_EQ(forced(said("nccl.profile-conditional", {{"NCCL_ALGO", "Ring"}})), "warn");
  EXPECT_EQ(
      forced(said("nccl.profile-conditional", {{"NCCL_ALGO", "Ring"}}, said("nccl.conf", {{"NCCL_PROTO", "LL"}}))),
      "fail")
      << "what is surely forced is told first";
}

TEST(NcclNotForced, WhatNcclDoesNotReadForcesNothing) {
  EXPECT_EQ(forced(said("nccl.conf", {{"NCCL_ALGO ", " Ring"}, {"NCCL_PROTO", ""}})), "pass");
}

TEST(NcclNotForced, OnesOwnSessionAndDebuggingSwitchesAreAWarning) {
  EXPECT_EQ(forced(said("nccl.environment", {{"NCCL_ALGO", "Ring"}})), "warn");
  EXPECT_EQ(forced(said("nccl.conf", {{"NCCL_P2P_DISABLE", "1"}})), "warn");
  EXPECT_EQ(forced(said("nccl.conf", {{"NCCL_P2P_DISABLE", "0"}})), "pass");
  EXPECT_EQ(forced(said("nccl.conf", {{"NCCL_IB_DISABLE", "1"}}, with(silent(), no_rdma("n1").front()))), "pass")
      << "no port does RDMA here";
  EXPECT_EQ(forced(said("nccl.conf", {{"NCCL_IB_DISABLE", "1"}}, with(cluster_of({"n1"}, {"mlx5_0"}), silent()[2]))),
            "warn");
}

TEST(NcclNotForced, APortThatWasNotReadMayBeWhatIsSwitchedOff) {
  const auto off = [](Observations all) {
    for (Observation& each : silent()) all.push_back(std::move(each));
    return forced(said("nccl.conf", {{"NCCL_IB_DISABLE", "1"}}, std::move(all)));
  };
  const auto cluster = cluster_of({"n1"}, {"mlx5_0"});
  EXPECT_EQ(off(cluster), "warn");
  EXPECT_EQ(off(on_port(cluster, "n1", "mlx5_0", {"DOWN"})), "pass");
  EXPECT_EQ(off(with(cluster, unseen(port_path("n1", "mlx5_0"), "port.state", Absence::timeout))), "unknown");
  EXPECT_EQ(off(with(cluster, seen(port_path("n1", "mlx5_0"), "port.state", std::int64_t{4}))), "unknown");
  EXPECT_EQ(off({seen(node_path("n1"), "hca.names", TextList{"mlx5_0"})}), "unknown");
  EXPECT_EQ(off({unseen(node_path("n1"), "hca.names", Absence::permission)}), "unknown");
  EXPECT_EQ(off(no_rdma("n1")), "pass");
}

TEST(NcclNotForced, UnreadableAndMalformed) {
  EXPECT_EQ(forced(with(silent(), unseen(node_path("n1"), "nccl.conf", Absence::permission))), "unknown");
  EXPECT_EQ(forced(with(silent(), seen(node_path("n1"), "nccl.profile", "NCCL_ALGO=Ring"))), "unknown");
  EXPECT_EQ(forced({seen(node_path("n1"), "os.id", "debian")}), "unknown");
  const auto hidden = with(silent(), unseen(node_path("n1"), "nccl.profile", Absence::permission));
  EXPECT_EQ(forced(said("nccl.conf", {{"NCCL_ALGO", "Ring"}}, hidden)), "fail");
  EXPECT_EQ(forced(said("nccl.conf", {{"NCCL_P2P_DISABLE", "1"}}, hidden)), "warn");
  EXPECT_EQ(forced(said("nccl.environment", {{"NCCL_ALGO", "Ring"}}, hidden)), "warn");
}

TEST(NcclNotForced, NoGpu) {
  EXPECT_EQ(forced(with(silent(), seen(node_path("n1"), "gpu.count", std::int64_t{0}, "1"))), "not_applicable");
}

// Two RoCE ports with GIDs 0 (v1) and 3 (v2).
Observations roce_node() {
  Observations all = cluster_of({"n1"}, {"mlx5_0", "mlx5_1"}, kEthernet);
  for (const char* hca : {"mlx5_0", "mlx5_1"})
    all.push_back(seen(port_path("n1", hca), "port.gids",
                       Record{{"0", "fe80::1 IB/RoCE v1 eth0"}, {"3", "::ffff:0a6c:a424 RoCE v2 eth0"}}));
  for (Observation& each : silent()) all.push_back(std::move(each));
  all.push_back(seen(node_path("n1"), "packages.dpkg", TextList{"bash 5.2.15-2 amd64 bash 5.2.15-2"}));
  all.push_back(unseen(node_path("n1"), "packages.rpm", Absence::missing));
  return all;
}

std::string with_index(const std::string& index) {
  return roce(said("nccl.conf", {{"NCCL_IB_GID_INDEX", index}}, roce_node()));
}

TEST(NcclConfRoce, Sound) {
  EXPECT_EQ(roce(roce_node()), "pass");
  EXPECT_EQ(with_index("3"), "pass");
  EXPECT_EQ(with_index("-1"), "pass");
}

TEST(NcclConfRoce, Unsound) {
  EXPECT_EQ(with_index("0"), "fail");  // RoCE v1
  EXPECT_EQ(with_index("5"), "fail");  // not there
  EXPECT_EQ(with_index("three"), "fail");
  const auto no_v2 =
      with(roce_node(), seen(port_path("n1", "mlx5_1"), "port.gids", Record{{"0", "fe80::1 IB/RoCE v1 eth0"}}));
  EXPECT_EQ(roce(no_v2), "fail");
}

TEST(NcclConfRoce, OnlyPortsInUseCount) {
  const auto odd =
      with(roce_node(), seen(port_path("n1", "mlx5_1"), "port.gids", Record{{"0", "fe80::1 IB/RoCE v1 eth0"}}));
  const auto filtered = [&](const std::string& filter) {
    return roce(said("nccl.conf", {{"NCCL_IB_GID_INDEX", "3"}, {"NCCL_IB_HCA", filter}}, odd));
  };
  EXPECT_EQ(filtered("=mlx5_0"), "pass");
  EXPECT_EQ(filtered("^mlx5_1"), "pass");
  EXPECT_EQ(filtered("mlx5_0:1"), "pass");
  EXPECT_EQ(filtered("mlx5"), "fail");
  EXPECT_EQ(filtered("mlx4"), "fail");  // names no port at all
}

TEST(NcclConfRoce, AnEnvironmentBeatsTheFile) {
  const auto all = said("nccl.conf", {{"NCCL_IB_GID_INDEX", "0"}}, roce_node());
  EXPECT_EQ(roce(said("nccl.profile", {{"NCCL_IB_GID_INDEX", "3"}}, all)), "pass");
}

TEST(NcclConfRoce, AConditionLeavesItOpen) {
  EXPECT_EQ(roce(said("nccl.profile-conditional", {{"NCCL_IB_GID_INDEX", "3"}}, roce_node())), "unknown");
}

TEST(NcclConfRoce, AnOldNcclMustBeTold) {
  const auto packages = [](const char* version) {
    return with(roce_node(), seen(node_path("n1"), "packages.dpkg",
                                  TextList{"bash 5.2.15-2 amd64 bash 5.2.15-2", "not an entry",
                                           fmt::format("libnccl2 {0} amd64 nccl {0}", version)}));
  };
  const auto all = packages("2.18.3-1+cuda12.2");
  EXPECT_EQ(roce(packages("2.21.5-1+cuda12.4")), "pass");
  EXPECT_EQ(roce(all), "warn");
  EXPECT_EQ(roce(said("nccl.conf", {{"NCCL_IB_GID_INDEX", "3"}}, all)), "pass");
  EXPECT_EQ(roce(packages("nightly")), "unknown");
  EXPECT_EQ(roce(packages("2.9.9-1+cuda11.3")), "warn");
  EXPECT_EQ(roce(with(roce_node(), seen(node_path("n1"), "packages.rpm",
                                        TextList{"libnccl 2.20.5-1+cuda12.4 x86_64 libnccl 2.20.5-1+cuda12.4"}))),
            "warn");
}

TEST(NcclConfRoce, PackagesThatWereNotReadMayHoldAnOldNccl) {
  const auto index = std::pair<const std::string, std::string>("NCCL_IB_GID_INDEX", "3");
  for (const Observation& unread : {unseen(node_path("n1"), "packages.dpkg", Absence::permission),
                                    unseen(node_path("n1"), "packages.rpm", Absence::timeout),
                                    seen(node_path("n1"), "packages.rpm", std::int64_t{900})}) {
    EXPECT_EQ(roce(with(roce_node(), unread)), "unknown") << unread.name;
    EXPECT_EQ(roce(said("nccl.conf", {index}, with(roce_node(), unread))), "pass") << unread.name;
  }
  const auto old =
      with(roce_node(), seen(node_path("n1"), "packages.dpkg", TextList{"libnccl2 2.18.3-1 amd64 nccl 2.18.3-1"}));
  EXPECT_EQ(roce(with(old, unseen(node_path("n1"), "packages.rpm", Absence::timeout))), "warn");
  EXPECT_EQ(roce(with(old, unseen(node_path("n1"), "nccl.conf", Absence::permission))), "unknown")
      << "it may tell the old one an index";
}

TEST(NcclConfRoce, UnreadableAndMalformed) {
  const auto path = port_path("n1", "mlx5_0");
  EXPECT_EQ(roce(with(roce_node(), unseen(path, "port.gids", Absence::permission))), "unknown");
  EXPECT_EQ(roce(with(roce_node(), seen(path, "port.gids", "3"))), "unknown");
  EXPECT_EQ(roce(with(roce_node(), unseen(path, "port.link-layer", Absence::missing))), "unknown");
  EXPECT_EQ(roce(with(roce_node(), unseen(node_path("n1"), "nccl.conf", Absence::permission))), "unknown");
  EXPECT_EQ(roce(said("nccl.conf", {{"NCCL_IB_GID_INDEX", "3"}},
                      with(roce_node(), seen(path, "port.gids", Record{{"3", "::1 "}})))),
            "unknown");
}

TEST(NcclConfRoce, AnAdapterThatToldNoPortIsNotLeftOut) {
  const auto third = with(roce_node(), seen(node_path("n1"), "hca.names", TextList{"mlx5_0", "mlx5_1", "mlx5_2"}));
  EXPECT_EQ(roce(third), "unknown");
  EXPECT_EQ(roce(said("nccl.conf", {{"NCCL_IB_HCA", "^mlx5_2"}}, third)), "pass");
}

TEST(NcclConfRoce, AProvenFaultWinsOverWhatIsUnread) {
  const auto v1 = seen(port_path("n1", "mlx5_1"), "port.gids", Record{{"0", "fe80::1 IB/RoCE v1 eth0"}});
  for (const auto& gap : {unseen(port_path("n1", "mlx5_0"), "port.gids", Absence::permission),
                          unseen(port_path("n1", "mlx5_0"), "port.link-layer", Absence::timeout),
                          unseen(port_path("n1", "mlx5_0"), "port.state", Absence::timeout)}) {
    const auto all = with(with(roce_node(), v1), gap);
    EXPECT_EQ(roce(all), "fail") << gap.name;
    EXPECT_EQ(roce(said("nccl.conf", {{"NCCL_IB_GID_INDEX", "3"}}, all)), "fail") << gap.name;
    EXPECT_EQ(roce(with(roce_node(), gap)), "unknown") << gap.name;
  }
  const auto unread = with(with(roce_node(), v1), unseen(node_path("n1"), "nccl.conf", Absence::permission));
  EXPECT_EQ(roce(unread), "unknown") << "it may tell NCCL to leave that port out";
  EXPECT_EQ(roce(said("nccl.profile", {{"NCCL_IB_HCA", "mlx5"}}, unread)), "fail") << "an environment beats the file";
}

TEST(NcclConfRoce, InfinibandBesideRoceHidesNothing) {
  const auto v1 = seen(port_path("n1", "mlx5_1"), "port.gids", Record{{"0", "fe80::1 IB/RoCE v1 eth0"}});
  const auto mixed = on_port(with(roce_node(), v1), "n1", "mlx5_0", {});
  EXPECT_EQ(roce(mixed), "fail");
  EXPECT_EQ(roce(on_port(roce_node(), "n1", "mlx5_0", {})), "pass");
  EXPECT_EQ(roce(said("nccl.conf", {{"NCCL_IB_HCA", "=mlx5_0"}}, mixed)), "not_applicable");
  EXPECT_EQ(roce(said("nccl.conf", {{"NCCL_IB_HCA", "=mlx5_1"}}, mixed)), "fail");
}

TEST(NcclConfRoce, InfinibandOrNoRdmaOrNoGpu) {
  EXPECT_EQ(roce(cluster_of({"n1"}, {"mlx5_0"})), "not_applicable");
  EXPECT_EQ(roce(cluster_of({"n1"}, {"rdmap16s27"}, {"ACTIVE", "LinkUp", 100, 4, "Unspecified"})), "not_applicable");
  EXPECT_EQ(roce(no_rdma("n1")), "not_applicable");
  EXPECT_EQ(roce(with(roce_node(), seen(node_path("n1"), "gpu.count", std::int64_t{0}, "1"))), "not_applicable");
}

}  // namespace
}  // namespace assay::testing
