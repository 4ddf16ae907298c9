#include <gtest/gtest.h>

#include "judging.hpp"

namespace assay::testing {
namespace {

constexpr auto kCheck = "networking.memlock-unlimited";
constexpr auto kNode = "cluster/c/node/n1";

struct Limits {
  std::string uid = "1000";
  Value soft = "8388608";
  std::string hard = "8388608";
  TextList configured = {};
  bool adapters = true;
};

std::vector<Observation> node(const Limits& limits) {
  return {limits.adapters ? seen(kNode, "hca.names", TextList{"mlx5_0"}) : unseen(kNode, "hca.names", Absence::missing),
          seen(kNode, "memory.total", std::int64_t{1} << 40),
          seen(kNode, "limits.uid", limits.uid),
          seen(kNode, "limits.memlock-soft", limits.soft),
          seen(kNode, "limits.memlock-hard", limits.hard),
          seen(kNode, "limits.memlock-configured", limits.configured)};
}

std::string judged_limits(const Limits& limits) { return status_of(kCheck, node(limits), "node/n1"); }

TEST(MemlockUnlimited, AsAUser) {
  EXPECT_EQ(judged_limits({.soft = "unlimited", .hard = "unlimited"}), "pass");
  EXPECT_EQ(judged_limits({.soft = "2199023255552", .hard = "2199023255552"}), "pass") << "more than all memory";
  EXPECT_EQ(judged_limits({.soft = "8388608", .hard = "unlimited"}), "warn");
  EXPECT_EQ(judged_limits({}), "fail");
  EXPECT_EQ(judged_limits({.configured = {"* - unlimited"}}), "fail") << "what the process got counts";
}

TEST(MemlockUnlimited, AJobMayWhatALoginMayNot) {
  EXPECT_EQ(judged_limits({.soft = "unlimited", .hard = "unlimited", .configured = {"* - 64"}}), "warn");
  EXPECT_EQ(judged_limits({.soft = "unlimited", .hard = "unlimited", .configured = {"bob - 64"}}), "pass");
}

TEST(MemlockUnlimited, AsRootPamsWordCounts) {
  EXPECT_EQ(judged_limits({.uid = "0", .configured = {"* - unlimited"}}), "pass") << "the star isn't meant for root";
  EXPECT_EQ(judged_limits({.uid = "0", .soft = "unlimited", .configured = {"* hard 64", "* soft 64"}}), "fail");
  EXPECT_EQ(judged_limits({.uid = "0", .soft = "unlimited"}), "pass");
  EXPECT_EQ(judged_limits({.uid = "0"}), "fail");
  EXPECT_EQ(judged_limits({.uid = "0", .configured = {"* soft 64", "* soft -1"}}), "pass") << "the last entry counts";
  EXPECT_EQ(judged_limits({.uid = "0", .configured = {"* - 2147483648"}}), "pass") << "KiB: twice the memory";
  EXPECT_EQ(judged_limits({.uid = "0", .configured = {"root - unlimited"}}), "fail");
}

TEST(MemlockUnlimited, NotApplicableWithoutRdma) { EXPECT_EQ(judged_limits({.adapters = false}), "not_applicable"); }

TEST(MemlockUnlimited, Unreadable) {
  auto all = node({});
  all[0] = unseen(kNode, "hca.names", Absence::permission);
  EXPECT_EQ(status_of(kCheck, all, "node/n1"), "unknown");
  all = node({.uid = "0"});
  all[5] = unseen(kNode, "limits.memlock-configured", Absence::permission);
  EXPECT_EQ(status_of(kCheck, all, "node/n1"), "unknown");
  all = node({});
  all[3] = unseen(kNode, "limits.memlock-soft", Absence::unsupported);
  EXPECT_EQ(status_of(kCheck, all, "node/n1"), "unknown");
}

TEST(MemlockUnlimited, AsAUserWhatWasNotReadIsNoPass) {
  const auto status = [](const Limits& limits, const Observation& unread) {
    auto all = node(limits);
    for (Observation& each : all)
      if (each.name == unread.name) each = unread;
    return status_of(kCheck, all, "node/n1");
  };
  for (const Observation& unread : {unseen(kNode, "limits.memlock-configured", Absence::permission),
                                    seen(kNode, "limits.memlock-configured", std::int64_t{64})}) {
    EXPECT_EQ(status({.soft = "unlimited", .hard = "unlimited"}, unread), "unknown");
    EXPECT_EQ(status({.hard = "unlimited"}, unread), "warn") << "proven in spite of the gap";
    EXPECT_EQ(status({}, unread), "fail");
  }
  EXPECT_EQ(
      status({.soft = "unlimited", .hard = "unlimited"}, unseen(kNode, "limits.memlock-configured", Absence::missing)),
      "pass");
  EXPECT_EQ(status({}, unseen(kNode, "limits.memlock-hard", Absence::timeout)), "warn") << "it may be raised";
  EXPECT_EQ(status({}, seen(kNode, "limits.memlock-hard", "lots")), "warn");
}

TEST(MemlockUnlimited, WithoutTheMemoryANumberIsNeitherEnoughNorTooLittle) {
  const auto status = [](const Limits& limits, const Observation& memory) {
    auto all = node(limits);
    all[1] = memory;
    return status_of(kCheck, all, "node/n1");
  };
  for (const Observation& memory :
       {unseen(kNode, "memory.total", Absence::permission), seen(kNode, "memory.total", "much"),
        seen(kNode, "memory.total", std::int64_t{0})}) {
    EXPECT_EQ(status({}, memory), "unknown");
    EXPECT_EQ(status({.hard = "unlimited"}, memory), "unknown");
    EXPECT_EQ(status({.soft = "unlimited", .hard = "unlimited", .configured = {"* - 64"}}, memory), "unknown");
    EXPECT_EQ(status({.uid = "0"}, memory), "unknown");
    EXPECT_EQ(status({.uid = "0", .configured = {"* - 64"}}, memory), "unknown");
    EXPECT_EQ(status({.soft = "unlimited", .hard = "unlimited"}, memory), "pass");
    EXPECT_EQ(status({.uid = "0", .configured = {"* - -1"}}, memory), "pass");
  }
}

TEST(MemlockUnlimited, Malformed) {
  EXPECT_EQ(judged_limits({.soft = "lots"}), "unknown");
  EXPECT_EQ(judged_limits({.soft = std::int64_t{8}}), "unknown");
}

}  // namespace
}  // namespace assay::testing
