#include "orders.hpp"

#include <gtest/gtest.h>

namespace assay::testing {
namespace {

constexpr auto kDpkg = version::Scheme::dpkg;

TEST(Dpkg, OrdersByEpochUpstreamRevision) {
  expect_ascending(kDpkg,
                   {"1.0~~", "1.0~~a", "1.0~", "1.0", "1.0-1", "1.0a", "1.0+b1", "1.0.1", "1.2", "1.10", "1:0.1"});
  expect_ascending(kDpkg, {"1.2.3~rc1-1", "1.2.3-1", "1.2.3-1+b1", "1.2.3-1.1", "1.2.3-2", "1.2.3-10"});
}

TEST(Dpkg, PutsLettersBeforeOtherCharacters) { expect_ascending(kDpkg, {"1~", "1", "1Z", "1a", "1+", "1."}); }

TEST(Dpkg, TakesNoRevisionAndNoEpochForZero) {
  expect_all(kDpkg, version::Order::equal, {"1.0", "0:1.0", "1.0-0", "1.00", "1.0-00"});
}

TEST(Dpkg, OrdersBackports) {
  expect_ascending(kDpkg, {"0.5.15-2", "0.5.15-2+deb12u1", "0.5.15-2+deb12u2", "0.5.18-1~deb13u1", "0.5.18-1"});
  expect_ascending(kDpkg,
                   {"1.1.12-0ubuntu2~22.04.1", "1.3.3-0ubuntu1~22.04.2", "1.3.3-0ubuntu1~24.04.2", "1.3.3-0ubuntu1"});
  expect_ascending(kDpkg,
                   {"27.5.1-1~ubuntu.22.04~jammy", "5:27.5.1-1~ubuntu.22.04~jammy", "5:29.5.1-1~ubuntu.22.04~jammy"});
}

TEST(Dpkg, KnowsWhatIsNone) {
  expect_versions(kDpkg, {"0", "1:2:3", "1-2-3", "2.36-9+deb12u10"});
  expect_no_versions(kDpkg, {"a1", ":1", "a:1", "1:", "1-", "-1", "1_0", "1:-1", "1^2"});
}

}  // namespace
}  // namespace assay::testing
