#include <gmock/gmock.h>

#include "judging.hpp"

namespace assay::testing {
namespace {

using Observations = std::vector<Observation>;
constexpr auto kCheck = "networking.mtu-uniform";

struct Interface {
  std::string name = "eth0";
  std::int64_t mtu = 9000;
  TextList addresses = {};
  std::string kind = "physical";
  std::string driver = "mlx5_core";
};

void add(Observations& all, const std::string& node, const Interface& interface) {
  const std::string host = "cluster/c/node/" + node;
  all.push_back(seen(host, "interfaces.names", TextList{interface.name}));
  const std::string subject = host + "/interface/" + interface.name;
  all.push_back(seen(subject, "interface.mtu", interface.mtu, "By"));
  all.push_back(seen(subject, "interface.addresses", interface.addresses));
  all.push_back(seen(subject, "interface.kind", interface.kind));
  all.push_back(seen(subject, "interface.state", std::string("up")));
  all.push_back(seen(subject, "interface.driver", interface.driver));
}

Observations three(const std::int64_t third) {
  Observations all;
  add(all, "n1", {.addresses = {"10.77.0.11/24"}});
  add(all, "n2", {.addresses = {"10.77.0.12/24", "fd00::12/64"}});
  add(all, "n3", {.name = "enp1s0", .mtu = third, .addresses = {"10.77.0.13/24"}});
  return all;
}

TEST(MtuUniform, SoundBySubnet) {
  for (const auto node : {"node/n1", "node/n2", "node/n3"}) EXPECT_EQ(status_of(kCheck, three(9000), node), "pass");
}

TEST(MtuUniform, TheOddOneIsNamedWhateverItsInterfaceIsCalled) {
  EXPECT_EQ(status_of(kCheck, three(1500), "node/n1"), "pass");
  EXPECT_EQ(status_of(kCheck, three(1500), "node/n3"), "fail");
  EXPECT_EQ(judged(kCheck, three(1500)).at("node/n3").measured, "enp1s0 has 1500 where 2 on 10.77.0.0/24 have 9000");
}

TEST(MtuUniform, RailsWithoutAddressesAreMatchedByName) {
  Observations all;
  for (const auto node : {"n1", "n2"}) add(all, node, {.name = "rail0", .mtu = 9000});
  add(all, "n3", {.name = "rail0", .mtu = 1500});
  EXPECT_EQ(status_of(kCheck, all, "node/n3"), "fail");
  Observations other;  // the same name on other hardware says nothing
  for (const auto node : {"n1", "n2"}) add(other, node, {.name = "eth1", .mtu = 9000});
  add(other, "n3", {.name = "eth1", .mtu = 1500, .driver = "virtio_net"});
  EXPECT_EQ(status_of(kCheck, other, "node/n3"), "unknown");
}

TEST(MtuUniform, ContainersBridgesAreEachNodesOwn) {
  Observations all = three(9000);
  add(all, "n1", {.name = "docker0", .mtu = 1500, .addresses = {"172.17.0.1/16"}, .kind = "bridge"});
  add(all, "n2", {.name = "docker0", .mtu = 9000, .addresses = {"172.17.0.1/16"}, .kind = "bridge"});
  add(all, "n3", {.name = "docker0", .mtu = 9000, .addresses = {"172.17.0.1/16"}, .kind = "bridge"});
  add(all, "n1", {.name = "veth1a", .mtu = 1450, .kind = "virtual"});
  add(all, "n2", {.name = "veth1a", .mtu = 1500, .kind = "virtual"});
  add(all, "n1", {.name = "cni0", .mtu = 1450, .addresses = {"10.244.1.1/24"}, .kind = "bridge"});
  add(all, "n2", {.name = "cni0", .mtu = 1500, .addresses = {"10.244.2.1/24"}, .kind = "bridge"});
  for (const auto node : {"node/n1", "node/n2", "node/n3"}) EXPECT_EQ(status_of(kCheck, all, node), "pass");
}

TEST(MtuUniform, ManagementAndDataMayDiffer) {
  Observations all;
  for (const auto node : {"n1", "n2"}) {
    const std::string last = node == std::string("n1") ? "11" : "12";
    add(all, node, {.name = "eth0", .mtu = 1500, .addresses = {"10.0.0." + last + "/24"}});
    add(all, node, {.name = "eth1", .mtu = 9000, .addresses = {"10.1.0." + last + "/24"}});
  }
  EXPECT_EQ(status_of(kCheck, all, "node/n1"), "pass");
}

TEST(MtuUniform, ATieIsTheClusters) {
  Observations all;
  add(all, "n1", {.mtu = 9000, .addresses = {"10.77.0.11/24"}});
  add(all, "n2", {.mtu = 1500, .addresses = {"10.77.0.12/24"}});
  EXPECT_EQ(status_of(kCheck, all, ""), "warn");
  EXPECT_EQ(status_of(kCheck, all, "node/n1"), "unknown");
}

TEST(MtuUniform, AFewThatToldDoNotOutvote) {
  Observations all = three(1500);
  add(all, "n4", {.addresses = {"10.77.0.14/24"}});
  EXPECT_EQ(status_of(kCheck, all, "node/n3"), "fail");
  for (Observation& each : all)
    if (each.subject.within(Subject::parse("cluster/c/node/n4").value()) && each.name == "interface.mtu")
      each = unseen(each.subject.path(), each.name, Absence::timeout);
  EXPECT_EQ(status_of(kCheck, all, "node/n3"), "unknown");
  EXPECT_EQ(status_of(kCheck, all, ""), "warn");
  Observations unreachable = three(1500);
  unreachable.push_back(unseen("cluster/c/node/n4", "interfaces.names", Absence::timeout));
  EXPECT_EQ(status_of(kCheck, unreachable, "node/n3"), "unknown");
}

TEST(MtuUniform, UnreadableMalformedAlone) {
  Observations all = three(9000);
  for (Observation& each : all) {
    if (each.subject.path() == "cluster/c/node/n1/interface/eth0" && each.name == "interface.mtu")
      each = unseen(each.subject.path(), each.name, Absence::malformed);
    if (each.subject.path() == "cluster/c/node/n3/interface/enp1s0" && each.name == "interface.addresses")
      each = seen(each.subject.path(), each.name, TextList{"10.77.0/24", "300.1.1.1/24", "10.77.0.13", "::1/900"});
  }
  EXPECT_EQ(status_of(kCheck, all, "node/n1"), "unknown");
  EXPECT_EQ(status_of(kCheck, all, "node/n3"), "unknown");
  EXPECT_EQ(status_of(kCheck, {unseen("cluster/c/node/n1", "interfaces.names", Absence::permission)}, "node/n1"),
            "unknown");
  Observations alone;
  add(alone, "n1", {.addresses = {"10.77.0.11/24"}});
  EXPECT_EQ(status_of(kCheck, alone, "node/n1"), "not_applicable");
}

}  // namespace
}  // namespace assay::testing
