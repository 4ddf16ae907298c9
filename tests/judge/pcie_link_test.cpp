#include <gtest/gtest.h>

#include "pci.hpp"

namespace assay::testing {
namespace {

constexpr auto kCheck = "reliability.pcie-link-full";
const std::string kGpu = "node/n1/pci/0000:19:00.0";
const std::string kNic = "node/n1/pci/0000:1a:00.0";

Observation speed(const std::string& address, double value) {
  return seen(pci_path(address), "pci.link-speed", value, "GT/s");
}
Observation width(const std::string& address, std::int64_t value) {
  return seen(pci_path(address), "pci.link-width", value, "1");
}

TEST(PcieLinkFull, Sound) {
  for (const auto& [subject, verdict] : judged(kCheck, one_switch()))
    EXPECT_EQ(verdict.status, Status::pass) << subject;
  EXPECT_EQ(judged(kCheck, one_switch()).size(), 3u);  // GPU, adapter, and the switch's upstream port
}

TEST(PcieLinkFull, LostLanes) {
  EXPECT_EQ(status_of(kCheck, with(one_switch(), width("0000:19:00.0", 8)), kGpu), "fail");
  EXPECT_EQ(status_of(kCheck, with(one_switch(), width("0000:16:00.0", 8)), "node/n1/pci/0000:16:00.0"), "fail");
}

TEST(PcieLinkFull, AnAdapterBelowItsSpeed) {
  EXPECT_EQ(status_of(kCheck, with(one_switch(), speed("0000:1a:00.0", 16)), kNic), "fail");
}

TEST(PcieLinkFull, AnIdleGpuSavesPower) {
  Observations all = with(one_switch(), speed("0000:19:00.0", 2.5));
  EXPECT_EQ(status_of(kCheck, all, kGpu), "unknown");
  const std::string gpu = node_path("n1") + "/gpu/0";
  all.push_back(seen(gpu, "gpu.pci-address", "0000:19:00.0"));
  all.push_back(seen(gpu, "gpu.utilization", std::int64_t{0}, "%"));
  EXPECT_EQ(status_of(kCheck, all, kGpu), "unknown");
  EXPECT_EQ(status_of(kCheck, with(all, seen(gpu, "gpu.utilization", std::int64_t{97}, "%")), kGpu), "fail");
}

TEST(PcieLinkFull, ASlotThatCanDoLessIsHowItWasBuilt) {
  // A Broadcom chip for two lanes on a port of one, as real machines have it.
  auto all = with(with(one_switch(), seen(pci_path("0000:17:02.0"), "pci.link-width-max", std::int64_t{1}, "1")),
                  width("0000:1a:00.0", 1));
  EXPECT_EQ(status_of(kCheck, all, kNic), "pass");
}

TEST(PcieLinkFull, DownstreamPortsAreNotJudgedByThemselves) {
  // A Gen 5 port above a Gen 4 disk runs at 16 GT/s.
  EXPECT_EQ(status_of(kCheck, with(one_switch(), speed("0000:17:01.0", 16)), "node/n1/pci/0000:17:01.0"), "<none>");
}

TEST(PcieLinkFull, WithoutRootUpstreamPortsAreToldByTheirPlace) {
  auto all = with(one_switch(), unseen(pci_path("0000:16:00.0"), "pci.port-type", Absence::permission));
  EXPECT_EQ(status_of(kCheck, with(all, width("0000:16:00.0", 8)), "node/n1/pci/0000:16:00.0"), "fail");
  all = with(one_switch(), unseen(pci_path("0000:17:01.0"), "pci.port-type", Absence::permission));
  EXPECT_EQ(status_of(kCheck, all, "node/n1/pci/0000:17:01.0"), "<none>");
}

TEST(PcieLinkFull, OnARootBusTheSlotIsHidden) {
  auto all = with(with(one_switch(), unseen(pci_path("0000:1a:00.0"), "pci.parent", Absence::missing)),
                  width("0000:1a:00.0", 8));
  EXPECT_EQ(status_of(kCheck, all, kNic), "warn");
}

TEST(PcieLinkFull, UnreadableAndMalformed) {
  const auto nic = pci_path("0000:1a:00.0");
  for (const char* name : {"pci.link-width", "pci.link-speed", "pci.link-width-max", "pci.link-speed-max"}) {
    EXPECT_EQ(status_of(kCheck, with(one_switch(), unseen(nic, name, Absence::unsupported)), kNic), "unknown") << name;
    EXPECT_EQ(status_of(kCheck, with(one_switch(), seen(nic, name, "x16")), kNic), "unknown") << name;
  }
  EXPECT_EQ(
      status_of(kCheck, with(one_switch(), unseen(pci_path("0000:17:02.0"), "pci.link-width-max", Absence::permission)),
                kNic),
      "unknown");
  EXPECT_EQ(status_of(kCheck, {unseen(node_path("n1"), "pci.gpu-count", Absence::missing)}, "node/n1"), "unknown");
}

TEST(PcieLinkFull, APartWhoseRoleIsUnreadIsUnknown) {
  for (const auto& role : {unseen(pci_path("0000:1a:00.0"), "pci.role", Absence::timeout),
                           seen(pci_path("0000:1a:00.0"), "pci.role", std::int64_t{2})})
    EXPECT_EQ(status_of(kCheck, with(one_switch(), role), kNic), "unknown");
  Observations all = one_switch();
  std::erase_if(all, [](const Observation& each) {
    return each.subject.path() == pci_path("0000:1a:00.0") && each.name == "pci.role";
  });
  EXPECT_EQ(status_of(kCheck, all, kNic), "unknown");
}

TEST(PcieLinkFull, WhatWasCountedAndNotToldIsNotLeftOut) {
  EXPECT_EQ(status_of(kCheck, one_switch(), "node/n1"), "<none>");
  const auto more = with(one_switch(), seen(node_path("n1"), "pci.nic-count", std::int64_t{2}, "1"));
  EXPECT_EQ(status_of(kCheck, more, "node/n1"), "unknown");
  const auto unread = with(one_switch(), unseen(node_path("n1"), "pci.nvme-count", Absence::timeout));
  EXPECT_EQ(status_of(kCheck, unread, "node/n1"), "unknown");
}

TEST(PcieLinkFull, ABridgeThatMayBeALowerEndIsNotLeftOut) {
  const std::string upstream = "0000:16:00.0";
  auto all = with(one_switch(), unseen(pci_path(upstream), "pci.port-type", Absence::permission));
  EXPECT_EQ(status_of(kCheck, all, "node/n1/pci/" + upstream), "pass") << "by its place";
  all = with(all, unseen(pci_path(upstream), "pci.path", Absence::timeout));
  EXPECT_EQ(status_of(kCheck, all, "node/n1/pci/" + upstream), "unknown");
}

TEST(PcieLinkFull, NothingOfInterestOrNoPcie) {
  Observations none;
  add_counts(none, 0, 0);
  EXPECT_EQ(status_of(kCheck, none, "node/n1"), "not_applicable");
  auto all = one_switch();
  for (const char* name : {"pci.link-width", "pci.link-speed", "pci.link-width-max", "pci.link-speed-max"})
    all = with(std::move(all), unseen(pci_path("0000:1a:00.0"), name, Absence::missing));
  EXPECT_EQ(status_of(kCheck, all, kNic), "not_applicable");
}

}  // namespace
}  // namespace assay::testing
