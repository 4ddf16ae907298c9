#include "orders.hpp"

#include <gtest/gtest.h>

namespace assay::testing {
namespace {

using version::Order;
constexpr auto kRpm = version::Scheme::rpm;

// The pairs of rpm's own test of rpmvercmp.
TEST(Rpm, OrdersAsRpmsOwnTestsSay) {
  for (const auto& pair : std::vector<std::vector<std::string_view>>{{"1.0", "2.0"},
                                                                     {"2.0", "2.0.1"},
                                                                     {"2.0.1", "2.0.1a"},
                                                                     {"5.5p1", "5.5p2"},
                                                                     {"5.5p1", "5.5p10"},
                                                                     {"10xyz", "10.1xyz"},
                                                                     {"xyz10", "xyz10.1"},
                                                                     {"xyz.4", "8"},
                                                                     {"xyz.4", "2"},
                                                                     {"5.5p2", "5.6p1"},
                                                                     {"5.6p1", "6.5p1"},
                                                                     {"6.0", "6.0.rc1"},
                                                                     {"10a2", "10b2"},
                                                                     {"10a1", "10b2"},
                                                                     {"1.0a", "1.0aa"},
                                                                     {"10.0001", "10.0039"},
                                                                     {"4.999.9", "5.0"},
                                                                     {"20101121", "20101122"},
                                                                     {"1.0~rc1", "1.0"},
                                                                     {"1.0~rc1", "1.0~rc2"},
                                                                     {"1.0~rc1~git123", "1.0~rc1"},
                                                                     {"1.0", "1.0^"},
                                                                     {"1.0^git1", "1.0^git2"},
                                                                     {"1.0^git1", "1.01"},
                                                                     {"1.0^20160101", "1.0.1"},
                                                                     {"1.0^20160101^git1", "1.0.1"},
                                                                     {"1.0~rc1", "1.0~rc1^git1"},
                                                                     {"1.0^git1~pre", "1.0^git1"},
                                                                     {"1b.fc17", "1.fc17"},
                                                                     {"1.fc17", "1g.fc17"}})
    expect_ascending(kRpm, pair);
  for (const auto& same : std::vector<std::vector<std::string_view>>{
           {"10.0001", "10.1"}, {"2_0", "2.0"}, {"a1+", "a1_", "a1"}, {"0:1.0-1", "1.0-1"}})
    expect_all(kRpm, Order::equal, same);
}

TEST(Rpm, OrdersByEpochVersionRelease) {
  expect_ascending(kRpm, {"1.9-1.el9", "1.10-1.el9", "1.10-2.el9", "1.10-2.el9_6", "1.10-10.el9", "1:0.9-1.el9"});
  expect_ascending(kRpm, {"4:1.2.5-2.el9", "4:1.2.5-3.el9", "4:1.2.5-3.el9_6"});
  expect_ascending(kRpm, {"2.28-225.el8_8.5", "2.28-225.el8_8.6", "2.28-236.el8"});
}

// Which release of it is meant isn't told: neither fixed nor older may follow.
TEST(Rpm, KnowsNoOrderOfReleasesWhereOneIsMissing) {
  expect_all(kRpm, Order::incomparable, {"1.2.5", "1.2.5-2.el9"});
  expect_ascending(kRpm, {"1.2.4", "1.2.5-2.el9", "1.2.6"});
  expect_ascending(kRpm, {"0", "1.2.5-2.el9"});
}

TEST(Rpm, KnowsWhatIsNone) {
  expect_versions(kRpm, {"0", "a1", "1.0-1", "4:1.2.5-2.module_el8.10.0+4001+1ad5d2d6"});
  expect_no_versions(kRpm, {"a", ":1", "x:1", "1:", "1-", "-1", "1-2-3", "1:2:3", "1 2", "^1"});
}

}  // namespace
}  // namespace assay::testing
