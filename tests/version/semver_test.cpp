#include "orders.hpp"

#include <gtest/gtest.h>

namespace assay::testing {
namespace {

using version::compare;
using version::Order;
constexpr auto kSemver = version::Scheme::semver;
constexpr auto kGo = version::Scheme::go;

TEST(Semver, OrdersAsItsSpecificationSays) {
  expect_ascending(kSemver, {"1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2",
                             "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "2.0.0", "2.1.0", "2.1.1"});
}

TEST(Semver, PutsAReleaseCandidateBeforeItsRelease) {
  expect_ascending(kSemver, {"1.0.0-rc9", "1.0.0-rc92", "1.0.0-rc93", "1.0.0", "1.2.0-beta.1", "1.2.0-rc.1",
                             "1.2.0-rc.3", "1.2.0-rc.10", "1.2.0", "1.2.8", "1.3.0-0", "1.3.0-alpha.0", "1.3.3"});
}

TEST(Semver, PassesOverBuildMetadataAndTheV) {
  expect_all(kSemver, Order::equal, {"1.30.2", "v1.30.2", "v1.30.2+k3s1", "1.30.2+rke2r1", "1.030.2", "1.30.2.0"});
}

TEST(Semver, ComparesAVendorsBuildByItsNumbersAlone) {
  for (const std::string_view build : {"1.28.3-gke.100", "v1.28.3-eks-036c24b", "1.28.3-1", "1.28.3~3-0~ubuntu"}) {
    EXPECT_EQ(compare(kSemver, build, "1.28.2"), Order::greater) << build;
    EXPECT_EQ(compare(kSemver, build, "1.28.4-rc.1"), Order::less) << build;
    EXPECT_EQ(compare(kSemver, build, "1.28.3"), Order::incomparable) << build;
    EXPECT_EQ(compare(kSemver, build, "1.28.3-rc.1"), Order::incomparable) << build;
    EXPECT_EQ(compare(kSemver, build, "1.28.3-vmware.1"), Order::incomparable) << build;
  }
}

TEST(Semver, OrdersBuildsOfOneVendorButNoHashes) {
  expect_ascending(kSemver, {"1.28.3-gke.100", "1.28.3-gke.286000", "1.28.3-gke.1000000"});
  expect_all(kSemver, Order::incomparable, {"1.29.4-eks-036c24b", "1.29.4-eks-036c25b", "1.29.4-eks", "1.29.4-gke.1"});
}

TEST(Semver, KnowsWhatIsNone) {
  expect_versions(kSemver, {"1", "1.2", "1.2.3.4", "1.2.0rc3"});
  expect_no_versions(kSemver, {"1.", "1..2", ".1", "1.2.3-", "1.2.3+", "1.2.3.4.5", "1.2.x", "1.2.3page", "5:1.2.3",
                               "vv1.2.3", "V1.2.3", "1.2.3-a b", "Docker 29.5.1"});
}

TEST(Semver, LineIsTwoNumbers) {
  EXPECT_EQ(version::line(kSemver, "1.2.8"), "1.2");
  EXPECT_EQ(version::line(kSemver, "v1.34.2-rc.1"), "1.34");
  EXPECT_EQ(version::line(kSemver, "2"), "2");
}

TEST(Go, OrdersPseudoVersionsByTheirTime) {
  expect_ascending(kGo, {"v0.0.0-20200101000000-ffffffffffff", "v0.0.0-20210101000000-abcdefabcdef", "v0.0.0",
                         "v1.2.3-pre.0.20210101000000-abcdefabcdef", "v1.2.3-pre.1", "v1.2.3",
                         "v1.2.4-0.20210101000000-abcdefabcdef", "v1.2.4-rc.1", "v1.2.4", "v20.10.0+incompatible",
                         "v29.5.1+incompatible"});
}

// Moby's records: the Engine before 29.5.1 is a module before 2.0.0-beta.14.
TEST(Go, OrdersIdentifiersAsTextLikeGoItself) {
  expect_ascending(kGo,
                   {"v2.0.0-beta.13", "v2.0.0-beta.14", "v2.0.0-beta0", "v2.0.0-beta10", "v2.0.0-beta9", "v2.0.0"});
  expect_all(kGo, Order::equal, {"v1.2.3", "1.2.3", "v1.2.3+incompatible"});
}

TEST(Go, KnowsWhatIsNone) {
  expect_no_versions(kGo, {"(devel)", "v1", "v1.2", "v1.2.3.4", "v1.2.3-", "v1.2.3-a..b", "v1.2.3-.a", "v1.2.3-a_b",
                           "v1.2.3~a", "v1.2.3rc1", "master", "go1.22.3"});
}

}  // namespace
}  // namespace assay::testing
