#include <gmock/gmock.h>

#include "gpu_cases.hpp"

namespace assay::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char* kFabric = "networking.nvlink-fabric-registered";
constexpr const char* kActive = "networking.nvlinks-active";
constexpr const char* kClean = "networking.nvlinks-clean";
constexpr const char* kGpu = "node/n1/gpu/0";

Observation changed(const std::string& name, Value value) { return seen(gpu_path(1, 0), name, std::move(value)); }
Observation hidden(const std::string& name, Absence reason = Absence::permission) {
  return unseen(gpu_path(1, 0), name, reason);
}

std::string status_with(const std::string& check, const Observation& changed) {
  return status_of(check, with(sound_nodes(2), changed), kGpu);
}

TextList links(std::size_t up, std::size_t down) {
  TextList states(up, "active");
  states.insert(states.end(), down, "inactive");
  return states;
}

// Nodes without switches: what their GPUs have as links is what bridges wire.
Observations bridged(int nodes, const TextList& states) {
  Observations all = sound_nodes(nodes);
  for (int node = 1; node <= nodes; ++node) all.push_back(seen(node_path(node), "pci.nvswitch-count", std::int64_t{0}));
  for (int node = 1; node <= nodes; ++node)
    for (int gpu = 0; gpu < 2; ++gpu) {
      all = with(std::move(all), seen(gpu_path(node, gpu), "gpu.fabric-state", "not-supported"));
      all = with(std::move(all), seen(gpu_path(node, gpu), "gpu.nvlink-states", states));
    }
  return all;
}

TEST(GpuLinks, SoundNodesPass) {
  for (const char* check : {kFabric, kActive, kClean})
    for (const auto& [subject, verdict] : judged(check, sound_nodes(2)))
      EXPECT_EQ(verdict.status, Status::pass) << check << " " << subject;
}

TEST(GpuLinks, NotApplicableWithoutGpusOrOfAmdAndUnknownUncounted) {
  for (const char* check : {kFabric, kActive, kClean}) {
    EXPECT_EQ(status_of(check, bare_node(1), "node/n1"), "not_applicable") << check;
    EXPECT_EQ(status_with(check, changed("gpu.vendor", "amd")), "not_applicable") << check;
    EXPECT_EQ(status_of(check, {unseen(node_path(1), "gpu.count", Absence::timeout)}, "node/n1"), "unknown") << check;
  }
}

TEST(NvlinkFabric, ByState) {
  for (const char* state : {"not-started", "in-progress", "completed with error: timed out"})
    EXPECT_EQ(status_with(kFabric, changed("gpu.fabric-state", state)), "fail") << state;
  EXPECT_EQ(status_with(kFabric, changed("gpu.fabric-state", "not-supported")), "not_applicable");
  EXPECT_EQ(status_with(kFabric, changed("gpu.fabric-state", "unknown (9)")), "unknown");
  EXPECT_EQ(status_with(kFabric, changed("gpu.fabric-state", std::int64_t{3})), "unknown");
  EXPECT_EQ(status_with(kFabric, hidden("gpu.fabric-state", Absence::unsupported)), "unknown");
}

TEST(NvlinksActive, ADownLinkToASwitchFails) {
  EXPECT_EQ(status_with(kActive, changed("gpu.nvlink-states", links(17, 1))), "fail");
  // Seen by its registration, or on the bus where the fabric isn't told.
  Observations one = with(sound_node(1, 1), changed("gpu.nvlink-states", links(0, 12)));
  EXPECT_EQ(status_of(kActive, one, kGpu), "fail");
  one = with(one, hidden("gpu.fabric-state", Absence::unsupported));
  EXPECT_EQ(status_of(kActive, one, kGpu), "unknown");
  EXPECT_EQ(status_of(kActive, with(one, seen(node_path(1), "pci.nvswitch-count", std::int64_t{6})), kGpu), "fail");
}

TEST(NvlinksActive, FewerLinksThanSiblings) {
  EXPECT_EQ(status_with(kActive, changed("gpu.nvlink-states", links(16, 0))), "fail");
  const auto one_down = with(bridged(2, links(4, 8)), changed("gpu.nvlink-states", links(3, 9)));
  EXPECT_EQ(status_of(kActive, one_down, kGpu), "fail");
}

TEST(NvlinksActive, LinksThatNobodyHasWiredAreNoFault) {
  EXPECT_EQ(status_of(kActive, bridged(2, links(4, 8)), kGpu), "pass");
  EXPECT_EQ(status_of(kActive, bridged(2, links(0, 12)), kGpu), "unknown") << "no bridge, or all of them broken";
}

TEST(NvlinksActive, WhereSwitchesWereNotSeenADownLinkMayBeOneOfTheirs) {
  const auto wired = bridged(2, links(4, 8));
  for (const Observation& unread :
       {unseen(node_path(1), "pci.nvswitch-count", Absence::timeout), seen(node_path(1), "pci.nvswitch-count", "none"),
        hidden("gpu.fabric-state", Absence::timeout)})
    EXPECT_EQ(status_of(kActive, with(wired, unread), kGpu), "unknown") << unread.name;
  EXPECT_EQ(status_of(kActive, with(wired, hidden("gpu.fabric-state", Absence::unsupported)), kGpu), "pass");
  EXPECT_EQ(
      status_of(kActive, with(bridged(2, links(18, 0)), unseen(node_path(1), "pci.nvswitch-count", Absence::timeout)),
                kGpu),
      "pass")
      << "all are up";
}

TEST(NvlinksActive, AloneOnlyAllActiveTells) {
  EXPECT_EQ(status_of(kActive, sound_node(1, 1), kGpu), "pass");
  Observations partly = with(sound_node(1, 1), changed("gpu.nvlink-states", links(4, 8)));
  partly = with(partly, changed("gpu.fabric-state", "not-supported"));
  EXPECT_EQ(status_of(kActive, partly, kGpu), "unknown");
}

TEST(NvlinksActive, UnreadableAndMalformed) {
  EXPECT_EQ(status_with(kActive, hidden("gpu.nvlink-states", Absence::unsupported)), "unknown");
  EXPECT_EQ(status_with(kActive, changed("gpu.nvlink-states", "active")), "unknown");
  EXPECT_EQ(status_with(kActive, changed("gpu.nvlink-states", TextList{})), "fail") << "its siblings have 18";
  EXPECT_EQ(status_with(kActive, hidden("gpu.name", Absence::missing)), "unknown");
  TextList unread = links(17, 0);
  unread.emplace_back("unreadable: timed out");
  EXPECT_EQ(status_with(kActive, changed("gpu.nvlink-states", unread)), "unknown");
  unread[0] = "inactive";
  EXPECT_EQ(status_with(kActive, changed("gpu.nvlink-states", unread)), "fail") << "a gap hides no failure";
}

TEST(NvlinksClean, ByKindOfError) {
  EXPECT_EQ(status_with(kClean, changed("gpu.nvlink-recoveries", std::int64_t{1})), "fail");
  EXPECT_EQ(status_with(kClean, changed("gpu.nvlink-replays", std::int64_t{3})), "warn");
  EXPECT_EQ(status_with(kClean, changed("gpu.nvlink-crc-errors", std::int64_t{41})), "pass");
}

TEST(NvlinksClean, ManyWrongChecksumsForTheTimeThatTheNodeIsUp) {
  const auto all = with(sound_nodes(2), changed("gpu.nvlink-crc-errors", std::int64_t{400'000}));
  EXPECT_EQ(status_of(kClean, with(all, seen(node_path(1), "os.uptime", 3600.0)), kGpu), "fail");
  EXPECT_EQ(status_of(kClean, with(all, seen(node_path(1), "os.uptime", 86400.0)), kGpu), "pass");
}

TEST(NvlinksClean, WithoutTheTimeWrongChecksumsAreNoPass) {
  auto all = with(sound_nodes(2), unseen(node_path(1), "os.uptime", Absence::timeout));
  EXPECT_EQ(status_of(kClean, all, kGpu), "pass") << "none was counted";
  all = with(all, changed("gpu.nvlink-crc-errors", std::int64_t{400'000}));
  EXPECT_EQ(status_of(kClean, all, kGpu), "unknown");
  EXPECT_EQ(status_of(kClean, with(all, changed("gpu.nvlink-replays", std::int64_t{1})), kGpu), "warn");
}

TEST(NvlinksClean, UnreadableAndMalformed) {
  for (const char* name : {"gpu.nvlink-recoveries", "gpu.nvlink-replays", "gpu.nvlink-crc-errors"}) {
    EXPECT_EQ(status_with(kClean, hidden(name, Absence::unsupported)), "unknown") << name;
    EXPECT_EQ(status_with(kClean, changed(name, "none")), "unknown") << name;
  }
  const auto gap = with(sound_nodes(2), hidden("gpu.nvlink-replays"));
  const auto verdicts = judged(kClean, with(gap, changed("gpu.nvlink-recoveries", std::int64_t{2})));
  EXPECT_EQ(verdicts.at(kGpu).status, Status::fail) << "a gap hides no failure";
  EXPECT_THAT(verdicts.at(kGpu).measured, HasSubstr("unknown replays"));
}

}  // namespace
}  // namespace assay::testing
