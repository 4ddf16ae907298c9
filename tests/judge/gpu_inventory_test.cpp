#include <gmock/gmock.h>

#include "gpu_cases.hpp"

namespace assay::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char* kCount = "reliability.gpu-count-uniform";
constexpr const char* kMemory = "reliability.gpu-memory-uniform";
constexpr const char* kDriver = "lifecycle.driver-uniform";
constexpr const char* kCuda = "lifecycle.cuda-uniform";
constexpr const char* kPersistence = "orchestration.gpu-persistence";
constexpr const char* kProfiling = "monitoring.profiling-for-all";
constexpr const char* kModern = "availability.modern-gpu";

Observations replaced(Observations all, int node, Observations other) {
  std::erase_if(all,
                [&](const Observation& each) { return each.subject.within(Subject::parse(node_path(node)).value()); });
  all.insert(all.end(), other.begin(), other.end());
  return all;
}

TEST(GpuCount, SoundNodesPass) {
  for (const auto& [subject, verdict] : judged(kCount, sound_nodes(3))) EXPECT_EQ(verdict.status, Status::pass);
}

TEST(GpuCount, TheOddNodeIsNamed) {
  const auto verdicts = judged(kCount, replaced(sound_nodes(4), 3, sound_node(3, 1)));
  EXPECT_EQ(verdicts.at("node/n3").status, Status::fail);
  EXPECT_EQ(verdicts.at("node/n1").status, Status::pass);
}

TEST(GpuCount, ALostGpuFails) {
  const auto verdicts = judged(kCount, with(sound_nodes(2), seen(gpu_path(2, 1), "gpu.state", "lost")));
  EXPECT_EQ(verdicts.at("node/n2").status, Status::fail);
  EXPECT_THAT(verdicts.at("node/n2").why, HasSubstr("GPU 1 is lost"));
  EXPECT_EQ(verdicts.at("node/n1").status, Status::pass);
}

TEST(GpuCount, AGpuThatDidNotSayIsNoPass) {
  EXPECT_EQ(status_of(kCount, with(sound_nodes(2), unseen(gpu_path(2, 1), "gpu.state", Absence::timeout)), "node/n2"),
            "unknown");
  // Nor is one that its reader never reached.
  Observations cut = sound_nodes(2);
  std::erase_if(cut, [](const Observation& each) { return each.subject.path() == gpu_path(2, 1); });
  EXPECT_EQ(status_of(kCount, cut, "node/n2"), "unknown");
}

TEST(GpuCount, MoreOnTheBusThanTheDriverCounts) {
  EXPECT_EQ(status_of(kCount, with(sound_node(1), seen(node_path(1), "gpu.pci-count", std::int64_t{8})), "node/n1"),
            "fail");
}

TEST(GpuCount, ADriverThatDoesNotAnswerFailsOnlyWhereThatWasSeen) {
  const Observations dead = {unseen(node_path(1), "gpu.count", Absence::unsupported, "driver not loaded"),
                             seen(node_path(1), "gpu.pci-count", std::int64_t{8}),
                             seen(node_path(1), "gpu.driver-answers", false)};
  EXPECT_EQ(status_of(kCount, dead, "node/n1"), "fail");
  const auto tree = with(dead, unseen(node_path(1), "gpu.driver-answers", Absence::unsupported));
  EXPECT_EQ(status_of(kCount, tree, "node/n1"), "unknown");
  const auto guests = with(dead, seen(node_path(1), "gpu.pci-drivers", TextList{"0000:1a:00.0=vfio-pci"}));
  EXPECT_EQ(status_of(kCount, guests, "node/n1"), "not_applicable");
}

TEST(GpuCount, NodesWithoutGpusOrOfOtherModelsAreNoSiblings) {
  auto mixed = replaced(sound_nodes(3), 3, bare_node(3));
  EXPECT_EQ(status_of(kCount, mixed, "node/n3"), "not_applicable");
  EXPECT_EQ(status_of(kCount, mixed, "node/n1"), "pass");
  auto other = sound_node(3, 4);
  for (int index = 0; index < 4; ++index) other = with(other, seen(gpu_path(3, index), "gpu.name", "NVIDIA L40S"));
  EXPECT_EQ(status_of(kCount, replaced(sound_nodes(3), 3, other), "node/n3"), "pass");
}

TEST(GpuCount, WithoutMajorityNobodyIsOdd) {
  // Two of four agree; of the others one has fewer and one didn't tell.
  auto all = replaced(sound_nodes(4), 3, sound_node(3, 1));
  all = with(all, unseen(node_path(4), "gpu.count", Absence::timeout));
  EXPECT_EQ(status_of(kCount, all, "node/n3"), "warn");
  EXPECT_EQ(status_of(kCount, all, "node/n1"), "warn");
  auto few = sound_nodes(2);
  few = with(few, unseen(node_path(2), "gpu.count", Absence::timeout));
  EXPECT_EQ(status_of(kCount, few, "node/n1"), "unknown");
}

TEST(GpuCount, ANodeWhoseModelsWereNotSeenIsUnknown) {
  auto all = sound_nodes(3);
  for (int index = 0; index < 2; ++index) all = with(all, unseen(gpu_path(3, index), "gpu.name", Absence::timeout));
  EXPECT_EQ(status_of(kCount, all, "node/n3"), "unknown");
  EXPECT_EQ(status_of(kCount, all, "node/n1"), "pass");
}

TEST(GpuCount, AGpuThatWasNotNamedMayBeOfAnotherModel) {
  auto mixed = sound_nodes(4, 4);
  mixed = replaced(mixed, 4, sound_node(4, 2));
  EXPECT_EQ(status_of(kCount, mixed, "node/n4"), "fail");
  mixed = with(mixed, unseen(gpu_path(4, 1), "gpu.name", Absence::timeout));
  EXPECT_EQ(status_of(kCount, mixed, "node/n4"), "unknown");
}

TEST(GpuCount, WithoutTheBusTheDriversCountIsNotProven) {
  for (const Observation& unread :
       {unseen(node_path(2), "gpu.pci-count", Absence::permission), seen(node_path(2), "gpu.pci-count", "two")}) {
    EXPECT_EQ(status_of(kCount, with(sound_nodes(2), unread), "node/n2"), "unknown");
    EXPECT_EQ(status_of(kCount, with(sound_nodes(2), unread), "node/n1"), "pass");
  }
}

TEST(GpuCount, Malformed) {
  EXPECT_EQ(status_of(kCount, with(sound_node(1), seen(node_path(1), "gpu.count", "two")), "node/n1"), "unknown");
}

TEST(GpuMemory, TheOddGpuIsNamed) {
  const auto odd = with(sound_nodes(2), seen(gpu_path(2, 0), "gpu.memory-total", std::int64_t{42505273344}));
  const auto verdicts = judged(kMemory, odd);
  EXPECT_EQ(verdicts.at("node/n2/gpu/0").status, Status::fail);
  EXPECT_EQ(verdicts.at("node/n2/gpu/1").status, Status::pass);
}

TEST(GpuMemory, WhatADriverKeepsForItselfIsNoDifference) {
  const auto slightly = with(sound_nodes(2), seen(gpu_path(2, 0), "gpu.memory-total", std::int64_t{85899345920}));
  EXPECT_EQ(status_of(kMemory, slightly, "node/n2/gpu/0"), "pass");
}

TEST(GpuMemory, WithoutMajorityNobodyIsOdd) {
  const auto odd = with(sound_nodes(2), seen(gpu_path(2, 0), "gpu.memory-total", std::int64_t{42505273344}));
  const auto gap = with(odd, unseen(gpu_path(2, 1), "gpu.memory-total", Absence::timeout));
  EXPECT_EQ(status_of(kMemory, gap, "node/n2/gpu/0"), "warn");
  EXPECT_EQ(status_of(kMemory, gap, "node/n1/gpu/0"), "warn");
  // About the same counts as the same, however many ways of telling it there are.
  auto slightly = sound_nodes(2);
  for (int index = 0; index < 2; ++index)
    slightly = with(slightly, seen(gpu_path(2, index), "gpu.memory-total", std::int64_t{85899345920} + index));
  EXPECT_EQ(status_of(kMemory, slightly, "node/n2/gpu/1"), "pass");
}

TEST(GpuMemory, UnreadableAndAlone) {
  EXPECT_EQ(status_of(kMemory, with(sound_node(1), unseen(gpu_path(1, 0), "gpu.memory-total", Absence::timeout)),
                      "node/n1/gpu/0"),
            "unknown");
  EXPECT_EQ(status_of(kMemory, with(sound_node(1), seen(gpu_path(1, 0), "gpu.memory-total", "80 GB")), "node/n1/gpu/0"),
            "unknown");
  EXPECT_EQ(status_of(kMemory, sound_node(1, 1), "node/n1/gpu/0"), "not_applicable");
  EXPECT_EQ(status_of(kMemory, bare_node(1), "node/n1"), "not_applicable");
}

TEST(DriverUniform, TheOddNodeIsNamed) {
  EXPECT_EQ(status_of(kDriver, sound_nodes(3), ""), "pass");
  const auto odd = with(sound_nodes(3), seen(node_path(2), "gpu.driver-version", "550.54.15"));
  EXPECT_EQ(status_of(kDriver, odd, "node/n2"), "fail");
  EXPECT_EQ(status_of(kDriver, odd, "node/n1"), "<none>");
  const auto tie = with(sound_nodes(2), seen(node_path(2), "gpu.driver-version", "550.54.15"));
  EXPECT_EQ(status_of(kDriver, tie, ""), "warn");
  auto frequent = with(sound_nodes(4), seen(node_path(2), "gpu.driver-version", "550.54.15"));
  frequent = with(frequent, seen(node_path(3), "gpu.driver-version", "560.35.03"));  // two of four are no majority
  EXPECT_EQ(status_of(kDriver, frequent, ""), "warn");
  EXPECT_EQ(status_of(kDriver, frequent, "node/n2"), "<none>");
  auto silent = odd;
  silent = with(silent, unseen(node_path(3), "gpu.driver-version", Absence::timeout));
  EXPECT_EQ(status_of(kDriver, silent, ""), "warn");
  EXPECT_EQ(status_of(kDriver, with(silent, unseen(node_path(2), "gpu.driver-version", Absence::timeout)), ""),
            "unknown");
}

TEST(DriverUniform, UnreadableMalformedAndWithoutGpus) {
  const auto gap = with(sound_nodes(3), unseen(node_path(2), "gpu.driver-version", Absence::timeout));
  EXPECT_EQ(status_of(kDriver, gap, "node/n2"), "unknown");
  EXPECT_EQ(status_of(kDriver, gap, ""), "pass");
  EXPECT_EQ(status_of(kDriver, with(sound_node(1), seen(node_path(1), "gpu.driver-version", 570.0)), "node/n1"),
            "unknown");
  EXPECT_EQ(status_of(kDriver, bare_node(1), ""), "not_applicable");
  EXPECT_EQ(status_of(kDriver, sound_node(1), ""), "not_applicable");
}

TEST(CudaUniform, TheOddNodeIsNamed) {
  EXPECT_EQ(status_of(kCuda, sound_nodes(3), ""), "pass");
  EXPECT_EQ(status_of(kCuda, with(sound_nodes(3), seen(node_path(3), "gpu.cuda-version", "12.4")), "node/n3"), "fail");
  EXPECT_EQ(
      status_of(kCuda, with(sound_nodes(3), unseen(node_path(3), "gpu.cuda-version", Absence::malformed)), "node/n3"),
      "unknown");
  EXPECT_EQ(status_of(kCuda, bare_node(1), ""), "not_applicable");
}

TEST(Persistence, GpusThatWereNotCountedMayBeMore) {
  const auto all = with(sound_node(1), unseen(node_path(1), "gpu.count", Absence::timeout));
  EXPECT_EQ(status_of(kPersistence, all, "node/n1"), "unknown");
  EXPECT_EQ(status_of(kPersistence, all, "node/n1/gpu/0"), "pass");
  EXPECT_EQ(status_of(kPersistence, sound_node(1), "node/n1"), "<none>");
}

TEST(Persistence, EachGpu) {
  const std::string gpu = "node/n1/gpu/0";
  EXPECT_EQ(status_of(kPersistence, sound_node(1), gpu), "pass");
  EXPECT_EQ(status_of(kPersistence, with(sound_node(1), seen(gpu_path(1, 0), "gpu.persistence-mode", false)), gpu),
            "fail");
  EXPECT_EQ(status_of(kPersistence,
                      with(sound_node(1), unseen(gpu_path(1, 0), "gpu.persistence-mode", Absence::permission)), gpu),
            "unknown");
  EXPECT_EQ(status_of(kPersistence, with(sound_node(1), seen(gpu_path(1, 0), "gpu.persistence-mode", "ERR!")), gpu),
            "unknown");
  EXPECT_EQ(status_of(kPersistence, with(sound_node(1), seen(gpu_path(1, 0), "gpu.vendor", "amd")), gpu),
            "not_applicable");
  EXPECT_EQ(status_of(kPersistence, bare_node(1), "node/n1"), "not_applicable");
}

TEST(Profiling, EachNode) {
  const auto status = [](const Observation& changed) {
    return status_of(kProfiling, with(sound_node(1), changed), "node/n1");
  };
  EXPECT_EQ(status_of(kProfiling, sound_node(1), "node/n1"), "pass");
  EXPECT_EQ(status(seen(node_path(1), "gpu.profiling-admin-only", true)), "fail");
  EXPECT_EQ(status(unseen(node_path(1), "gpu.profiling-admin-only", Absence::missing)), "unknown");
  EXPECT_EQ(status(seen(node_path(1), "gpu.profiling-admin-only", "1")), "unknown");
  EXPECT_EQ(status_of(kProfiling, bare_node(1), "node/n1"), "not_applicable");
}

Observations all_named(const std::string& name) {
  return with(with(sound_node(1), seen(gpu_path(1, 0), "gpu.name", name)), seen(gpu_path(1, 1), "gpu.name", name));
}

TEST(ModernGpu, ByGeneration) {
  EXPECT_EQ(status_of(kModern, sound_nodes(2), ""), "pass");
  EXPECT_EQ(status_of(kModern, all_named("AMD Instinct MI355X"), ""), "pass");
  EXPECT_EQ(status_of(kModern, all_named("NVIDIA A100-SXM4-80GB"), ""), "warn");
  EXPECT_EQ(status_of(kModern, all_named("Tesla K80"), ""), "fail");
  EXPECT_EQ(status_of(kModern, all_named("NVIDIA X900"), ""), "unknown");
  EXPECT_EQ(status_of(kModern, bare_node(1), ""), "not_applicable");
  EXPECT_EQ(status_of(kModern, {unseen(node_path(1), "gpu.count", Absence::unsupported)}, ""), "unknown");
}

TEST(ModernGpu, AnOldGpuBesideAModernOneIsNoLack) {
  EXPECT_EQ(status_of(kModern, with(sound_node(1), seen(gpu_path(1, 1), "gpu.name", "Tesla T4")), ""), "pass");
}

TEST(ModernGpu, GpusThatWereNotNamedMayBeModern) {
  for (const char* old : {"Tesla K80", "NVIDIA A100-SXM4-80GB"}) {
    auto uncounted = all_named(old);
    uncounted.push_back(unseen(node_path(2), "gpu.count", Absence::timeout));
    EXPECT_EQ(status_of(kModern, uncounted, ""), "unknown") << old;
    const auto unnamed = with(all_named(old), unseen(gpu_path(1, 1), "gpu.name", Absence::timeout));
    EXPECT_EQ(status_of(kModern, unnamed, ""), "unknown") << old;
    const auto malformed = with(all_named(old), seen(gpu_path(1, 1), "gpu.name", std::int64_t{7}));
    EXPECT_EQ(status_of(kModern, malformed, ""), "unknown") << old;
    const auto never_told = with(all_named(old), seen(node_path(1), "gpu.count", std::int64_t{3}));
    EXPECT_EQ(status_of(kModern, never_told, ""), "unknown") << old;
    auto off_bus = all_named(old);
    off_bus = with(off_bus, seen(node_path(1), "gpu.pci-count", std::int64_t{4}));
    EXPECT_EQ(status_of(kModern, off_bus, ""), "unknown") << old;
    const auto bus = with(all_named(old), unseen(node_path(1), "gpu.pci-count", Absence::timeout));
    EXPECT_EQ(status_of(kModern, bus, ""), "unknown") << old;
  }
  auto beside_none = all_named("Tesla K80");
  for (const Observation& each : bare_node(2)) beside_none.push_back(each);
  EXPECT_EQ(status_of(kModern, beside_none, ""), "fail");
  auto proven = sound_node(1);
  proven.push_back(unseen(node_path(2), "gpu.count", Absence::timeout));
  EXPECT_EQ(status_of(kModern, proven, ""), "pass");
}

}  // namespace
}  // namespace assay::testing
