#include <gtest/gtest.h>

#include "judging.hpp"

namespace assay::testing {
namespace {

constexpr auto kCheck = "security.kernel-running-is-installed";

std::vector<Observation> host(Value running, Value installed) {
  return {seen("cluster/c/node/n1", "kernel.running", std::move(running)),
          seen("cluster/c/node/n1", "kernel.installed", std::move(installed))};
}

TEST(KernelRunningIsInstalled, Sound) {
  EXPECT_EQ(
      status_of(kCheck, host("5.15.0-113-generic", TextList{"5.15.0-112-generic", "5.15.0-113-generic"}), "node/n1"),
      "pass");
}

TEST(KernelRunningIsInstalled, Unsound) {
  EXPECT_EQ(
      status_of(kCheck, host("5.15.0-97-generic", TextList{"5.15.0-97-generic", "5.15.0-113-generic"}), "node/n1"),
      "fail");
}

TEST(KernelRunningIsInstalled, Unreadable) {
  EXPECT_EQ(status_of(kCheck,
                      {seen("cluster/c/node/n1", "kernel.running", "5.15.0-97-generic"),
                       unseen("cluster/c/node/n1", "kernel.installed", Absence::permission)},
                      "node/n1"),
            "unknown");
}

TEST(KernelRunningIsInstalled, Malformed) {
  EXPECT_EQ(status_of(kCheck, host(std::int64_t{5}, TextList{"5.15.0-97-generic"}), "node/n1"), "unknown");
}

}  // namespace
}  // namespace assay::testing
