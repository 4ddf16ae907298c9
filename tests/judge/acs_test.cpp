#include <gtest/gtest.h>

#include "pci.hpp"

namespace assay::testing {
namespace {

constexpr auto kCheck = "networking.acs-off";
const TextList kRedirecting = {"SrcValid", "ReqRedir", "CmpltRedir", "UpstreamFwd"};

Observation acs_of(const std::string& bridge, TextList on) { return seen(pci_path(bridge), "pci.acs", std::move(on)); }

std::string judged_node(const Observations& all) { return status_of(kCheck, all, "node/n1"); }

TEST(AcsOff, Sound) { EXPECT_EQ(judged_node(one_switch()), "pass"); }

TEST(AcsOff, ASwitchPortThatRedirects) {
  const auto all = with(one_switch(), acs_of("0000:17:02.0", kRedirecting));
  EXPECT_EQ(judged_node(all), "fail");
  EXPECT_EQ(judged(kCheck, all).at("node/n1").measured, "0000:17:02.0 (SrcValid, ReqRedir, CmpltRedir, UpstreamFwd)");
}

TEST(AcsOff, TheRootPortAboveTheSwitchIsNotBetween) {
  EXPECT_EQ(judged_node(with(one_switch(), acs_of("0000:15:01.0", kRedirecting))), "pass");
}

TEST(AcsOff, ABridgeToADiskIsNotBetween) {
  Observations all = one_switch();
  add_pci(all, "0000:17:00.0", {.path = {"0000:15:01.0", "0000:16:00.0"}, .port_type = "downstream-port"});
  add_pci(all, "0000:18:00.0",
          {.role = "nvme", .path = {"0000:15:01.0", "0000:16:00.0", "0000:17:00.0"}, .vendor = "144d"});
  all.push_back(acs_of("0000:17:00.0", kRedirecting));
  EXPECT_EQ(judged_node(all), "pass");
}

TEST(AcsOff, SourceValidationAloneRedirectsNothing) {
  EXPECT_EQ(judged_node(with(one_switch(), acs_of("0000:17:02.0", {"SrcValid"}))), "warn");
}

Observations two_root_ports(TextList on) {
  Observations all;
  add_counts(all, 1, 1);
  add_pci(all, "0000:15:01.0", {.path = {}, .port_type = "root-port"});
  add_pci(all, "0000:26:01.0", {.path = {}, .port_type = "root-port"});
  add_pci(all, "0000:19:00.0", {.role = "gpu", .path = {"0000:15:01.0"}, .vendor = "10de", .device = "2330"});
  add_pci(all, "0000:27:00.0", {.role = "nic", .path = {"0000:26:01.0"}, .vendor = "15b3"});
  all.push_back(acs_of("0000:15:01.0", {}));
  all.push_back(acs_of("0000:26:01.0", std::move(on)));
  return all;
}

TEST(AcsOff, WithoutACommonSwitchRootPortsCount) {
  EXPECT_EQ(judged_node(two_root_ports({})), "pass");
  EXPECT_EQ(judged_node(two_root_ports(kRedirecting)), "fail");
}

TEST(AcsOff, GraceReachesItsGpuThroughTheCpu) {
  auto all = with(two_root_ports(kRedirecting), seen(pci_path("0000:19:00.0"), "pci.device", "2941"));
  EXPECT_EQ(judged_node(all), "not_applicable");
}

TEST(AcsOff, AFartherAdapterDoesNotCount) {
  Observations all = one_switch();
  add_pci(all, "0000:26:01.0", {.path = {}, .port_type = "root-port"});
  add_pci(all, "0000:27:00.0", {.role = "nic", .path = {"0000:26:01.0"}, .vendor = "15b3"});
  all.push_back(acs_of("0000:26:01.0", kRedirecting));
  EXPECT_EQ(judged_node(all), "pass");
}

TEST(AcsOff, UnreadableIsUnknownUnlessSomeIsProven) {
  const auto hidden = with(one_switch(), unseen(pci_path("0000:17:02.0"), "pci.acs", Absence::permission));
  EXPECT_EQ(judged_node(hidden), "unknown");
  EXPECT_EQ(judged_node(with(hidden, acs_of("0000:17:01.0", kRedirecting))), "fail");
  EXPECT_EQ(judged_node({unseen(node_path("n1"), "pci.gpu-count", Absence::permission)}), "unknown");
}

TEST(AcsOff, ABridgeOfWhichNothingWasSaidIsUnknown) {
  Observations all = one_switch();
  std::erase_if(all, [](const Observation& each) {
    return each.subject.path() == pci_path("0000:17:02.0") && each.name == "pci.acs";
  });
  EXPECT_EQ(judged_node(all), "unknown");
  // The path of a device names a bridge that no reader told of at all.
  std::erase_if(all, [](const Observation& each) { return each.subject.path() == pci_path("0000:17:02.0"); });
  EXPECT_EQ(judged_node(all), "unknown");
}

TEST(AcsOff, AGpuCountedButNotToldOfIsUnknown) {
  Observations all = with(one_switch(), unseen(pci_path("0000:19:00.0"), "pci.role", Absence::timeout));
  EXPECT_EQ(judged_node(all), "unknown");
  all = with(one_switch(), seen(node_path("n1"), "pci.gpu-count", std::int64_t{2}, "1"));
  EXPECT_EQ(judged_node(all), "unknown");
  EXPECT_EQ(judged_node(with(all, acs_of("0000:17:01.0", kRedirecting))), "fail");
}

TEST(AcsOff, AnUnreadPathHidesNoRedirectingBridgeElsewhere) {
  Observations two = with(one_switch(), acs_of("0000:17:01.0", kRedirecting));
  add_pci(two, "0000:29:00.0", {.role = "gpu", .path = {}, .vendor = "10de", .device = "2330"});
  two = with(two, unseen(pci_path("0000:29:00.0"), "pci.path", Absence::permission));
  EXPECT_EQ(judged_node(two), "fail");
  EXPECT_EQ(judged_node(with(two, acs_of("0000:17:01.0", {}))), "unknown");
  // Wherever the adapter sits, the GPU's own port is on the way to it; what is above it may not be.
  const auto lost = unseen(pci_path("0000:1a:00.0"), "pci.path", Absence::permission);
  EXPECT_EQ(judged_node(with(with(one_switch(), acs_of("0000:17:01.0", kRedirecting)), lost)), "fail");
  EXPECT_EQ(judged_node(with(with(one_switch(), acs_of("0000:15:01.0", kRedirecting)), lost)), "unknown");
}

// A second adapter, which only the RDMA stack tells from any network controller, below a port of the same switch.
Observations with_roce(const TextList& on) {
  Observations all = with(one_switch(), seen(node_path("n1"), "pci.nic-count", std::int64_t{2}, "1"));
  add_pci(all, "0000:17:03.0", {.path = {"0000:15:01.0", "0000:16:00.0"}, .port_type = "downstream-port"});
  add_pci(all, "0000:1b:00.0", {.role = "nic", .path = {"0000:15:01.0", "0000:16:00.0", "0000:17:03.0"}});
  all = with(all, seen(pci_path("0000:1b:00.0"), "pci.class", "020000"));
  all = with(all, seen(node_path("n1"), "hca.names", TextList{"mlx5_0", "mlx5_1"}));
  all.push_back(seen(node_path("n1") + "/hca/mlx5_0", "hca.pci", "0000:1a:00.0"));
  all.push_back(seen(node_path("n1") + "/hca/mlx5_1", "hca.pci", "0000:1b:00.0"));
  all.push_back(acs_of("0000:17:03.0", on));
  return all;
}

TEST(AcsOff, AnAdapterThatWasNotSeenIsNotLeftOut) {
  EXPECT_EQ(judged_node(with_roce({})), "pass");
  EXPECT_EQ(judged_node(with_roce(kRedirecting)), "fail");
  const std::string second = node_path("n1") + "/hca/mlx5_1";
  for (const Observation& unread :
       {unseen(second, "hca.pci", Absence::timeout), seen(second, "hca.pci", std::int64_t{1}),
        unseen(pci_path("0000:1b:00.0"), "pci.role", Absence::timeout),
        seen(pci_path("0000:1b:00.0"), "pci.role", true), seen(node_path("n1"), "pci.nic-count", std::int64_t{3}, "1"),
        unseen(pci_path("0000:17:01.0"), "pci.vendor", Absence::timeout)})
    EXPECT_EQ(judged_node(with(with_roce({}), unread)), "unknown") << unread.name;
  // Nothing was told of it but its name.
  Observations untold = with_roce({});
  std::erase_if(untold, [&](const Observation& each) { return each.subject.path() == second; });
  EXPECT_EQ(judged_node(untold), "unknown");
  Observations no_names = with(untold, unseen(node_path("n1"), "hca.names", Absence::timeout));
  EXPECT_EQ(judged_node(no_names), "unknown");
  EXPECT_EQ(judged_node(with(with_roce({}), unseen(pci_path("0000:1b:00.0"), "pci.class", Absence::timeout))), "pass")
      << "the RDMA stack has it";
  // What is proven stays so, and what only seemed between a GPU and its nearest adapter isn't.
  EXPECT_EQ(judged_node(with(no_names, acs_of("0000:17:01.0", kRedirecting))), "fail");
  EXPECT_EQ(judged_node(with(no_names, acs_of("0000:17:02.0", kRedirecting))), "unknown");
}

TEST(AcsOff, AWarningStandsBesideAGap) {
  auto all = with(one_switch(), acs_of("0000:17:01.0", {"SrcValid"}));
  all = with(all, unseen(pci_path("0000:17:02.0"), "pci.acs", Absence::permission));
  EXPECT_EQ(judged_node(all), "warn");
}

TEST(AcsOff, Malformed) {
  EXPECT_EQ(judged_node(with(one_switch(), seen(pci_path("0000:17:02.0"), "pci.acs", "on"))), "unknown");
  EXPECT_EQ(judged_node(with(one_switch(), unseen(pci_path("0000:19:00.0"), "pci.path", Absence::malformed))),
            "unknown");
}

TEST(AcsOff, InAVirtualMachineTheRealBridgesAreHidden) {
  Observations direct;
  add_counts(direct, 1, 1);
  add_pci(direct, "0000:00:05.0", {.role = "gpu", .path = {}, .vendor = "10de", .device = "2330"});
  add_pci(direct, "0000:00:06.0", {.role = "nic", .path = {}, .vendor = "15b3"});
  EXPECT_EQ(judged_node(direct), "unknown");
  EXPECT_EQ(judged_node(with(two_root_ports({}), seen(pci_path("0000:26:01.0"), "pci.vendor", "1b36"))), "unknown");
}

TEST(AcsOff, NoGpuOrNoRdma) {
  Observations none;
  add_counts(none, 0, 1);
  EXPECT_EQ(judged_node(none), "not_applicable");
  Observations ethernet = with(one_switch(), seen(pci_path("0000:1a:00.0"), "pci.class", "020000"));
  EXPECT_EQ(judged_node(ethernet), "unknown");
  EXPECT_EQ(judged_node(with(ethernet, unseen(node_path("n1"), "hca.names", Absence::missing))), "not_applicable");
  Observations roce = ethernet;
  roce.push_back(seen(node_path("n1") + "/hca/mlx5_0", "hca.pci", "0000:1a:00.0"));
  EXPECT_EQ(judged_node(roce), "pass");
}

}  // namespace
}  // namespace assay::testing
