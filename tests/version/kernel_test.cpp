#include "orders.hpp"

#include <gtest/gtest.h>

namespace assay::testing {
namespace {

using version::line;
using version::Order;
constexpr auto kKernel = version::Scheme::kernel;

TEST(Kernel, OrdersUpstreams) {
  expect_ascending(
      kKernel, {"4.14", "5.10.254", "5.15.204", "6.1.170", "6.12.85", "6.19-rc1", "6.19.0", "6.19.12-rc1", "6.19.12"});
}

TEST(Kernel, OrdersWithinAFlavour) {
  expect_ascending(kKernel, {"5.15.0-171-generic", "6.8.0-31-generic", "6.8.0-124-generic", "6.8.0-1015-generic"});
  expect_ascending(kKernel, {"6.8.0-1015-aws", "6.8.0-1021-aws"});
  expect_ascending(kKernel, {"6.1.0-18-amd64", "6.1.0-40-amd64"});
  expect_ascending(kKernel, {"6.12.41+deb13-amd64", "6.12.85+deb13-amd64"});
}

TEST(Kernel, KnowsNoOrderBetweenFlavours) {
  expect_all(kKernel, Order::incomparable,
             {"6.8.0-124-generic", "6.8.0-1015-aws", "6.8.0-1020-azure", "6.8.0-100-lowlatency", "6.8.0",
              "6.8.0-427.13.1.el9_4.x86_64", "6.8.0-427.13.1.el9_4.x86_64+rt", "6.8.0-custom", "6.8.0-18-amd64"});
}

TEST(Kernel, OrdersEnterpriseLinuxsWithinAMajorRelease) {
  expect_ascending(kKernel, {"5.14.0-362.8.1.el9_3.x86_64", "5.14.0-427.el9.x86_64", "5.14.0-427.13.1.el9_4.x86_64",
                             "5.14.0-570.12.1.el9_6.x86_64"});
  expect_ascending(kKernel, {"4.18.0-513.24.1.el8_9.x86_64", "4.18.0-553.121.1.el8_10.x86_64"});
  expect_ascending(kKernel, {"5.14.0-427.13.1.el9_4.x86_64+rt", "5.14.0-427.14.1.el9_4.x86_64+rt"});
  expect_all(kKernel, Order::incomparable,
             {"4.18.0-553.el8.x86_64", "5.14.0-427.13.1.el9_4.x86_64", "5.15.0-204.147.6.2.el8uek.x86_64"});
}

TEST(Kernel, PassesOverTheArchitecture) {
  expect_all(kKernel, Order::equal,
             {"5.14.0-427.13.1.el9_4.x86_64", "5.14.0-427.13.1.el9_4", "5.14.0-427.13.1.el9_4.aarch64"});
}

TEST(Kernel, KnowsWhatIsNone) {
  expect_no_versions(kKernel, {"6", "6.", "6..1", "6.1.170-", "6.1.170+", "6.1.170 generic", "6.1.170_1",
                               "uname: 6.12.85", "Linux 6.8.0-124-generic", "6.1.2.3.4.5"});
}

TEST(Kernel, LineIsTwoNumbers) {
  EXPECT_EQ(line(kKernel, "5.15.204"), "5.15");
  EXPECT_EQ(line(kKernel, "6.8.0-124-generic"), "6.8");
}

}  // namespace
}  // namespace assay::testing
