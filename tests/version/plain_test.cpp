#include "orders.hpp"

#include <gtest/gtest.h>

namespace assay::testing {
namespace {

using version::line;
using version::Order;
constexpr auto kPlain = version::Scheme::plain;

TEST(Plain, PutsAPatchBehindItsVersion) {
  expect_ascending(kPlain, {"8.5", "8.5p1", "8.5p2", "9.2p1", "9.8p1", "10.0p2"});
  expect_ascending(kPlain, {"1.9.13", "1.9.13p3", "1.9.17", "1.9.17p1", "1.9.17p2"});
  expect_ascending(kPlain, {"1.1.1", "1.1.1a", "1.1.1w", "3.0.2", "3.0.13"});
  expect_ascending(kPlain, {"1.0.2z", "1.0.2za", "1.0.2zh"});
  expect_ascending(kPlain, {"10.24.09", "10.24.09a", "10.24.10"});
}

TEST(Plain, PutsAPreReleaseBeforeItsVersion) {
  expect_ascending(kPlain, {"24.05.4", "24.11.0rc1", "24.11.0rc2", "24.11.0", "24.11.5"});
  expect_ascending(kPlain, {"2.0dev", "2.0a2", "2.0b1", "2.0beta2", "2.0-rc1", "2.0", "2.0.1"});
}

TEST(Plain, OrdersByNumbers) {
  expect_ascending(kPlain, {"22.05.10", "23.02.6", "23.02.7", "23.11.1", "23.11.11"});
  expect_ascending(kPlain, {"5.8-7.0.6.0", "5.8-7.0.6.1", "23.10-5.1.4.0", "24.10-3.2.5.0"});
  expect_ascending(kPlain, {"2.9.2-0.1.5", "2.9.2-0.1.6", "3.0.0-058000", "3.0.0-058001"});
  expect_all(kPlain, Order::equal, {"2.36", "2.36.0", "02.36", "v2.36", "2_36"});
}

TEST(Plain, PassesOverTheCaseOfWords) {
  expect_all(kPlain, Order::equal, {"9.2p1", "9.2P1"});
  expect_ascending(kPlain, {"1.0a", "1.0P1"});
}

TEST(Plain, KnowsWhatIsNone) {
  expect_versions(kPlain, {"5", "2023a", "5rc1", "12.7"});
  expect_no_versions(kPlain,
                     {"404page", "1..2", "1.2.", "1.2-", "1.2-.3", "a1", ".1", "1.2:3", "1.2/3", "1.2abcdefghijklm",
                      "OpenSSH_9.8p1, OpenSSL 3.0.13", "munged: Error: 0.5.18 key", "1.9.17p1 (root)"});
}

TEST(Plain, LineIsTwoNumbers) {
  EXPECT_EQ(line(kPlain, "23.11.11"), "23.11");
  EXPECT_EQ(line(kPlain, "9.2p1"), "9.2");
}

}  // namespace
}  // namespace assay::testing
