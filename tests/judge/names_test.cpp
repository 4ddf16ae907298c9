#include <gmock/gmock.h>

#include "judging.hpp"

namespace assay::testing {
namespace {

constexpr auto kCheck = "orchestration.hostname-consistent";

struct Node {
  std::string name;
  TextList addresses;
};

std::vector<Observation> nodes(const std::vector<Node>& each) {
  std::vector<Observation> all;
  for (std::size_t i = 0; i < each.size(); ++i) {
    const std::string node = "cluster/c/node/n" + std::to_string(i + 1);
    all.push_back(seen(node, "os.hostname", each[i].name));
    all.push_back(each[i].addresses.empty() ? unseen(node, "name.addresses", Absence::missing)
                                            : seen(node, "name.addresses", each[i].addresses));
  }
  return all;
}

std::string second(const Node& node) {
  return status_of(kCheck, nodes({{"n1", {"10.77.0.11"}}, node, {"n3", {"10.77.0.13"}}}), "node/n2");
}

TEST(HostnameConsistent, Sound) {
  EXPECT_EQ(second({"n2", {"10.77.0.12"}}), "pass");
  EXPECT_EQ(second({"n2.cluster.example", {"127.0.1.1", "10.77.0.12"}}), "pass");
  // nss-myhostname lists every interface, a bridge that all nodes have too.
  EXPECT_EQ(
      status_of(kCheck, nodes({{"n1", {"10.77.0.11", "172.17.0.1"}}, {"n2", {"10.77.0.12", "172.17.0.1"}}}), "node/n2"),
      "pass");
  EXPECT_EQ(status_of(kCheck, nodes({{"alone", {"127.0.1.1"}}}), "node/n1"), "pass") << "nobody else asks";
}

TEST(HostnameConsistent, Unsound) {
  EXPECT_EQ(second({"n2", {"127.0.1.1"}}), "warn");
  EXPECT_EQ(second({"n2", {"::1", "fe80::1"}}), "warn");
  EXPECT_EQ(second({"n2", {}}), "fail");
  EXPECT_EQ(second({"localhost", {"127.0.0.1"}}), "fail");
  EXPECT_EQ(second({"localhost.localdomain", {"127.0.0.1"}}), "fail");
  EXPECT_EQ(second({"N1", {"10.77.0.12"}}), "fail");
  EXPECT_EQ(second({"n2", {"10.77.0.11"}}), "fail");
}

TEST(HostnameConsistent, BothOfOneNameAreNamed) {
  const auto verdicts = judged(kCheck, nodes({{"n1", {"10.77.0.11"}}, {"n1", {"10.77.0.12"}}}));
  EXPECT_EQ(verdicts.at("node/n1").status, Status::fail);
  EXPECT_THAT(verdicts.at("node/n2").why, ::testing::HasSubstr("n1, n2"));
}

TEST(HostnameConsistent, APassTellsHowManyWereNotAsked) {
  auto all = nodes({{"n1", {"10.77.0.11"}}, {"n2", {"10.77.0.12"}}});
  EXPECT_EQ(judged(kCheck, all).at("node/n1").why, "its name is its own and leads back to it");
  all[2] = unseen("cluster/c/node/n2", "os.hostname", Absence::timeout);
  EXPECT_EQ(judged(kCheck, all).at("node/n1").why,
            "its name leads back to it, and no node has told the same; 1 told none");
}

TEST(HostnameConsistent, UnreadableAndMalformed) {
  auto all = nodes({{"n1", {"10.77.0.11"}}, {"n2", {"10.77.0.12"}}});
  all[3] = unseen("cluster/c/node/n2", "name.addresses", Absence::timeout);
  EXPECT_EQ(status_of(kCheck, all, "node/n2"), "unknown");
  all[3] = seen("cluster/c/node/n2", "name.addresses", "10.77.0.12");
  EXPECT_EQ(status_of(kCheck, all, "node/n2"), "unknown");
  all[2] = seen("cluster/c/node/n2", "os.hostname", std::int64_t{2});
  EXPECT_EQ(status_of(kCheck, all, "node/n2"), "unknown");
}

}  // namespace
}  // namespace assay::testing
