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

// Three nodes with eth0 in one subnet and a rail beside it, eth2, that n3 has smaller than the others.
Observations with_rail() {
  Observations all;
  for (const auto node : {"n1", "n2", "n3"}) {
    add(all, node, {.addresses = {std::string("10.77.0.1") + (node + 1) + "/24"}});
    add(all, node, {.name = "eth2", .mtu = node == std::string("n3") ? 1500 : 9000});
  }
  return all;
}

TEST(MtuUniform, AnInterfaceThatToldTooLittleIsNotLeftOut) {
  EXPECT_EQ(status_of(kCheck, with_rail(), "node/n3"), "fail");
  const std::string eth2 = "cluster/c/node/n3/interface/eth2";
  const auto changed = [&](const Observation& to) {
    Observations all = with_rail();
    for (Observation& each : all)
      if (each.subject == to.subject && each.name == to.name) each = to;
    return all;
  };
  for (const char* name : {"interface.state", "interface.kind", "interface.driver"}) {
    EXPECT_EQ(status_of(kCheck, changed(seen(eth2, name, std::int64_t{1})), "node/n3"), "unknown") << name;
    EXPECT_EQ(status_of(kCheck, changed(unseen(eth2, name, Absence::timeout)), "node/n3"), "unknown") << name;
    EXPECT_EQ(status_of(kCheck, changed(unseen(eth2, name, Absence::timeout)), "node/n1"), "pass") << name;
  }
  // Its addresses aren't needed where its name is matched.
  EXPECT_EQ(status_of(kCheck, changed(unseen(eth2, "interface.addresses", Absence::timeout)), "node/n3"), "fail");
  const std::string eth0 = "cluster/c/node/n3/interface/eth0";
  Observations hidden = with_rail();
  for (Observation& each : hidden) {
    if (each.subject.path() == eth2 && each.name == "interface.mtu") each = seen(eth2, each.name, std::int64_t{9000});
    if (each.subject.path() == eth0 && each.name == "interface.addresses")
      each = unseen(eth0, each.name, Absence::timeout);
  }
  EXPECT_EQ(status_of(kCheck, hidden, "node/n3"), "unknown") << "eth0 may be on the others' subnet";
  Observations listed = with_rail();
  std::erase_if(listed, [&](const Observation& each) {
    return each.subject.path() == eth2 || (each.subject.id() == "n3" && each.name == "interfaces.names");
  });
  EXPECT_EQ(status_of(kCheck, listed, "node/n3"), "unknown") << "its interfaces were not listed";
  listed.push_back(seen("cluster/c/node/n3", "interfaces.names", TextList{"eth0", "eth2"}));
  EXPECT_EQ(status_of(kCheck, listed, "node/n3"), "unknown") << "its name is listed, and nothing told of it";
}

TEST(MtuUniform, AnInterfaceThatIsDownOrOnNoNetworkIsNoGap) {
  Observations all = three(9000);
  add(all, "n1", {.name = "eth3", .mtu = 1500});
  all[all.size() - 2] = seen("cluster/c/node/n1/interface/eth3", "interface.state", std::string("down"));
  add(all, "n1", {.name = "dummy0", .mtu = 1500, .kind = "virtual"});
  add(all, "n1", {.name = "wg0", .mtu = 1420, .addresses = {"10.9.0.1/32"}, .kind = "tunnel"});
  EXPECT_EQ(status_of(kCheck, all, "node/n1"), "pass");
}

TEST(MtuUniform, UnplacedInterfacesCountAmongThoseOfWhichMostAreAsked) {
  Observations all = with_rail();
  for (const auto node : {"n4", "n5"}) add(all, node, {.name = "eth2", .mtu = 9000});
  EXPECT_EQ(status_of(kCheck, all, "node/n3"), "fail");
  for (Observation& each : all)
    if (each.name == "interface.kind" && (each.subject.path() == "cluster/c/node/n4/interface/eth2" ||
                                          each.subject.path() == "cluster/c/node/n2/interface/eth2"))
      each = unseen(each.subject.path(), each.name, Absence::timeout);
  EXPECT_EQ(status_of(kCheck, all, "node/n3"), "unknown") << "two of five have 9000";
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
