#include <gmock/gmock.h>

#include "judging.hpp"

namespace assay::testing {
namespace {

using Observations = std::vector<Observation>;
constexpr auto kCheck = "storage.home-shared";

void add(Observations& all, const std::string& node, bool shared, const std::string& source,
         const std::string& identity = "inode 128, changed 1.0") {
  const std::string subject = "cluster/c/node/" + node;
  all.push_back(seen(subject, "home.shared", shared));
  all.push_back(seen(subject, "home.type", std::string(shared ? "nfs4" : "ext4")));
  all.push_back(seen(subject, "home.source", source));
  all.push_back(seen(subject, "home.mount", std::string(shared ? "/home" : "/")));
  all.push_back(seen(subject, "home.identity", identity));
}

TEST(HomeShared, Sound) {
  Observations all;
  for (const auto node : {"n1", "n2", "n3"}) add(all, node, true, "10.0.0.5:/home");
  EXPECT_EQ(status_of(kCheck, all, "node/n1"), "pass");
  EXPECT_EQ(status_of(kCheck, all, "node/n3"), "pass");
  EXPECT_EQ(status_of(kCheck, all, ""), "<none>");
}

TEST(HomeShared, ALocalHomeAmongSharedOnesIsNamed) {
  Observations all;
  add(all, "n1", true, "10.0.0.5:/home");
  add(all, "n2", false, "/dev/sda1");
  EXPECT_EQ(status_of(kCheck, all, "node/n1"), "unknown") << "nobody shares its homes";
  EXPECT_EQ(status_of(kCheck, all, "node/n2"), "fail");
  EXPECT_THAT(judged(kCheck, all).at("node/n2").why, ::testing::HasSubstr("where 1 nodes have nfs4 10.0.0.5:/home"));
}

TEST(HomeShared, AllLocalIsNoSharedHome) {
  Observations all;
  add(all, "n1", false, "/dev/sda1");
  add(all, "n2", false, "/dev/sda1");  // the same name, and the same inode on a cloned disk
  EXPECT_EQ(status_of(kCheck, all, "node/n1"), "fail");
  EXPECT_EQ(status_of(kCheck, all, "node/n2"), "fail");
}

TEST(HomeShared, AnotherSourceIsNamed) {
  Observations all;
  add(all, "n1", true, "10.0.0.5:/home");
  add(all, "n2", true, "10.0.0.5:/home");
  add(all, "n3", true, "10.9.9.9:/home", "inode 128, changed 7.0");
  EXPECT_EQ(status_of(kCheck, all, "node/n2"), "pass");
  EXPECT_EQ(status_of(kCheck, all, "node/n3"), "fail");
}

TEST(HomeShared, OneExportByManyAddressesIsOne) {
  Observations all;
  for (const auto node : {"n1", "n2", "n3", "n4"}) add(all, node, true, std::string("vip-") + node + ":/home");
  for (const auto node : {"node/n1", "node/n4"}) EXPECT_EQ(status_of(kCheck, all, node), "pass");
}

TEST(HomeShared, AServerThatHangsTellsNoIdentity) {
  Observations all;
  add(all, "n1", true, "head:/home");
  all.pop_back();
  add(all, "n2", true, "head:/home");
  add(all, "n3", true, "10.0.0.1:/home");
  EXPECT_EQ(status_of(kCheck, all, "node/n1"), "pass");
  EXPECT_EQ(status_of(kCheck, all, "node/n3"), "pass");
}

TEST(HomeShared, ATieIsTheClusters) {
  Observations all;
  add(all, "n1", true, "a:/home", "inode 1, changed 1.0");
  add(all, "n2", true, "b:/home", "inode 1, changed 2.0");
  EXPECT_EQ(status_of(kCheck, all, ""), "warn");
  EXPECT_EQ(status_of(kCheck, all, "node/n1"), "unknown");
}

TEST(HomeShared, AloneUnreadableMalformed) {
  Observations alone;
  add(alone, "n1", false, "/dev/sda1");
  EXPECT_EQ(status_of(kCheck, alone, "node/n1"), "not_applicable");
  Observations all;
  add(all, "n1", true, "a:/home");
  all.push_back(unseen("cluster/c/node/n2", "home.shared", Absence::unsupported, "/home mounts each home when used"));
  all.push_back(seen("cluster/c/node/n3", "home.shared", std::string("yes")));
  EXPECT_EQ(status_of(kCheck, all, "node/n1"), "unknown") << "nothing shows that another node has the same";
  EXPECT_EQ(status_of(kCheck, all, "node/n2"), "unknown");
  EXPECT_EQ(status_of(kCheck, all, "node/n3"), "unknown");
  add(all, "n4", true, "a:/home");
  EXPECT_EQ(status_of(kCheck, all, "node/n1"), "unknown") << "two of four are not most";
  EXPECT_EQ(status_of(kCheck, all, ""), "<none>");
  add(all, "n5", true, "a:/home");
  EXPECT_EQ(status_of(kCheck, all, "node/n1"), "pass");
}

TEST(HomeShared, AFewThatToldAreNoReference) {
  Observations all;
  for (const auto node : {"n1", "n2"}) add(all, node, true, "10.0.0.5:/home");
  add(all, "n3", true, "10.9.9.9:/home", "inode 128, changed 7.0");
  EXPECT_EQ(status_of(kCheck, all, "node/n3"), "fail");
  for (const auto node : {"n4", "n5"})
    all.push_back(unseen(std::string("cluster/c/node/") + node, "home.shared", Absence::timeout));
  EXPECT_EQ(status_of(kCheck, all, "node/n3"), "unknown");
  EXPECT_EQ(status_of(kCheck, all, "node/n1"), "unknown");
  EXPECT_EQ(status_of(kCheck, all, ""), "warn");
}

TEST(HomeShared, WithoutItsIdentityAnotherAddressIsNoDifference) {
  Observations all;
  for (const auto node : {"n1", "n2", "n3"}) add(all, node, true, "10.0.0.5:/home");
  add(all, "n4", true, "10.0.0.6:/home");
  EXPECT_EQ(status_of(kCheck, all, "node/n4"), "pass");
  all.back() = unseen("cluster/c/node/n4", "home.identity", Absence::timeout);
  EXPECT_EQ(status_of(kCheck, all, "node/n4"), "unknown");
  EXPECT_EQ(status_of(kCheck, all, "node/n1"), "pass");
  all.back() = seen("cluster/c/node/n4", "home.identity", std::int64_t{4});
  EXPECT_EQ(status_of(kCheck, all, "node/n4"), "unknown");
  Observations two;
  add(two, "n1", true, "10.0.0.5:/home");
  add(two, "n2", true, "10.0.0.6:/home");
  two.back() = unseen("cluster/c/node/n2", "home.identity", Absence::timeout);
  EXPECT_EQ(status_of(kCheck, two, "node/n1"), "unknown");
  EXPECT_EQ(status_of(kCheck, two, ""), "<none>") << "no difference was seen";
}

}  // namespace
}  // namespace assay::testing
