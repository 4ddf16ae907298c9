#include <gmock/gmock.h>

#include "gpu_cases.hpp"

namespace assay::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char* kPower = "reliability.gpu-power-limit";
constexpr const char* kClocks = "reliability.gpu-clocks-uniform";
constexpr const char* kGpu = "node/n1/gpu/0";

Observation changed(const std::string& name, Value value) { return seen(gpu_path(1, 0), name, std::move(value)); }
Observation hidden(const std::string& name, Absence reason = Absence::permission) {
  return unseen(gpu_path(1, 0), name, reason);
}

std::string status_with(const std::string& check, const Observation& changed, int nodes = 2) {
  return status_of(check, with(sound_nodes(nodes), changed), kGpu);
}

// Every GPU of `nodes` nodes says this.
Observations all_say(int nodes, const std::string& name, const Value& value) {
  Observations all = sound_nodes(nodes);
  for (int node = 1; node <= nodes; ++node)
    for (int gpu = 0; gpu < 2; ++gpu) all = with(std::move(all), seen(gpu_path(node, gpu), name, value));
  return all;
}

TEST(GpuLimits, SoundNodesPass) {
  for (const char* check : {kPower, kClocks})
    for (const auto& [subject, verdict] : judged(check, sound_nodes(2)))
      EXPECT_EQ(verdict.status, Status::pass) << check << " " << subject;
}

TEST(GpuLimits, WithoutGpusNotApplicableAndUncountedUnknown) {
  for (const char* check : {kPower, kClocks}) {
    EXPECT_EQ(status_of(check, bare_node(1), "node/n1"), "not_applicable") << check;
    EXPECT_EQ(status_of(check, {unseen(node_path(1), "gpu.count", Absence::timeout)}, "node/n1"), "unknown") << check;
  }
}

TEST(GpuPowerLimit, LoweredBelowItsDefaultOrItsSiblings) {
  EXPECT_EQ(status_with(kPower, changed("gpu.power-limit", 500.0)), "fail");
  EXPECT_EQ(status_of(kPower, with(sound_nodes(2), changed("gpu.power-limit", 500.0)), "node/n1/gpu/1"), "pass");
  // Alone, its own default is what it is held against.
  EXPECT_EQ(status_of(kPower, with(sound_node(1, 1), changed("gpu.power-limit", 500.0)), kGpu), "fail");
  // A board with another default is slower all the same.
  const auto other =
      with(with(sound_nodes(2), changed("gpu.power-limit", 650.0)), changed("gpu.power-limit-default", 650.0));
  EXPECT_EQ(status_of(kPower, other, kGpu), "fail");
}

TEST(GpuPowerLimit, LoweredOnAllIsAChoiceThatIsTold) {
  const auto verdicts = judged(kPower, all_say(2, "gpu.power-limit", 600.0));
  EXPECT_EQ(verdicts.at(kGpu).status, Status::warn);
  EXPECT_THAT(verdicts.at(kGpu).why, HasSubstr("700 W"));
  EXPECT_EQ(verdicts.at(kGpu).measured, "600 W of 700 W");
}

TEST(GpuPowerLimit, AnotherModelHasAnotherLimitAndARoundedOneIsTheSame) {
  auto smaller = with(sound_nodes(2), changed("gpu.name", "NVIDIA H100 PCIe"));
  smaller = with(with(smaller, changed("gpu.power-limit", 350.0)), changed("gpu.power-limit-default", 350.0));
  EXPECT_EQ(status_of(kPower, smaller, kGpu), "pass");
  EXPECT_EQ(status_with(kPower, changed("gpu.power-limit", 699.6)), "pass");
  EXPECT_EQ(status_with(kPower, changed("gpu.power-limit", 750.0)), "pass");
}

TEST(GpuPowerLimit, UnreadableAndMalformed) {
  EXPECT_EQ(status_with(kPower, hidden("gpu.power-limit")), "unknown");
  EXPECT_EQ(status_with(kPower, hidden("gpu.power-limit-default", Absence::unsupported)), "unknown");
  EXPECT_EQ(status_with(kPower, hidden("gpu.name", Absence::missing)), "unknown");
  EXPECT_EQ(status_with(kPower, changed("gpu.power-limit", "N/A")), "unknown");
  EXPECT_EQ(status_with(kPower, changed("gpu.power-limit-default", "N/A")), "unknown");
  // The siblings' word stands in for a default that isn't told.
  EXPECT_EQ(
      status_of(kPower,
                with(with(sound_nodes(2), hidden("gpu.power-limit-default")), changed("gpu.power-limit", 500.0)), kGpu),
      "fail");
}

TEST(GpuClocks, TheOddGpuIsNamed) {
  EXPECT_EQ(status_with(kClocks, changed("gpu.clock-sm-max", std::int64_t{1755})), "fail");
  EXPECT_EQ(status_with(kClocks, changed("gpu.clock-memory-max", std::int64_t{1593})), "fail");
  EXPECT_EQ(status_of(kClocks, with(sound_nodes(2), changed("gpu.clock-sm-max", std::int64_t{1755})), "node/n2/gpu/1"),
            "pass");
}

TEST(GpuClocks, AnotherModelHasOtherClocksAndALowerClockNowIsNoLowerMaximum) {
  auto other = with(sound_nodes(2), changed("gpu.name", "NVIDIA H100 PCIe"));
  other = with(other, changed("gpu.clock-sm-max", std::int64_t{1755}));
  EXPECT_EQ(status_of(kClocks, other, kGpu), "not_applicable");
  EXPECT_EQ(status_with(kClocks, changed("gpu.clock-sm", std::int64_t{345})), "pass");
}

TEST(GpuClocks, WithoutMajorityNobodyIsOdd) {
  EXPECT_EQ(status_with(kClocks, changed("gpu.clock-sm-max", std::int64_t{1755}), 1), "warn");
  auto silent = sound_nodes(2);
  for (const auto& [node, gpu] : {std::pair(1, 0), {1, 1}, {2, 0}})
    silent = with(std::move(silent), unseen(gpu_path(node, gpu), "gpu.clock-sm-max", Absence::timeout));
  EXPECT_EQ(status_of(kClocks, silent, "node/n2/gpu/1"), "unknown");
}

TEST(GpuClocks, UnreadableAndMalformed) {
  EXPECT_EQ(status_with(kClocks, hidden("gpu.clock-sm-max")), "unknown");
  EXPECT_EQ(status_with(kClocks, hidden("gpu.clock-memory-max", Absence::unsupported)), "unknown");
  EXPECT_EQ(status_with(kClocks, changed("gpu.clock-sm-max", "1980 MHz")), "unknown");
  EXPECT_EQ(status_with(kClocks, hidden("gpu.name", Absence::missing)), "unknown");
}

TEST(GpuLimits, AFewThatWereSeenAreNoReference) {
  for (const auto& [check, odd] :
       {std::pair(kClocks, changed("gpu.clock-sm-max", std::int64_t{1755})),
        std::pair("reliability.gpu-memory-uniform", changed("gpu.memory-total", std::int64_t{42505273344}))}) {
    auto all = with(sound_nodes(3), odd);
    EXPECT_EQ(status_of(check, all, kGpu), "fail") << check;
    for (int node = 4; node <= 8; ++node) all.push_back(unseen(node_path(node), "gpu.count", Absence::timeout));
    EXPECT_EQ(status_of(check, all, kGpu), "warn") << check << ": they differ, and nobody is odd";
    EXPECT_EQ(status_of(check, all, "node/n2/gpu/0"), "warn") << check;
    auto cut = with(sound_nodes(3), odd);
    cut = with(cut, seen(node_path(3), "gpu.count", std::int64_t{8}));
    EXPECT_EQ(status_of(check, cut, kGpu), "warn") << check << ": six of twelve weren't seen";
  }
  auto links = with(sound_nodes(3), changed("gpu.nvlink-states", TextList(16, "active")));
  EXPECT_EQ(status_of("networking.nvlinks-active", links, kGpu), "fail");
  for (int node = 4; node <= 8; ++node) links.push_back(unseen(node_path(node), "gpu.count", Absence::timeout));
  EXPECT_EQ(status_of("networking.nvlinks-active", links, kGpu), "unknown") << "most may have more";
  auto lower = with(with(sound_nodes(3), changed("gpu.power-limit", 650.0)), changed("gpu.power-limit-default", 650.0));
  EXPECT_EQ(status_of(kPower, lower, kGpu), "fail");
  for (int node = 4; node <= 8; ++node) lower.push_back(unseen(node_path(node), "gpu.count", Absence::timeout));
  EXPECT_EQ(status_of(kPower, lower, kGpu), "unknown");
}

}  // namespace
}  // namespace assay::testing
