#include <gmock/gmock.h>

#include "gpu_cases.hpp"

namespace assay::testing {
namespace {

using ::testing::HasSubstr;

// The status of GPU 0 of node 1 after one change to a sound node.
std::string status_with(const std::string& check, const Observation& changed) {
  return status_of(check, with(sound_node(1), changed), "node/n1/gpu/0");
}

Observation changed(const std::string& name, Value value) { return seen(gpu_path(1, 0), name, std::move(value)); }
Observation hidden(const std::string& name, Absence reason = Absence::permission) {
  return unseen(gpu_path(1, 0), name, reason);
}

constexpr const char* kEcc = "reliability.gpu-ecc-clean";
constexpr const char* kRows = "reliability.gpu-row-remap";
constexpr const char* kClocks = "reliability.clocks-unthrottled";
constexpr const char* kIdle = "reliability.idle-power";

TEST(GpuHealth, ASoundNodePasses) {
  for (const char* check : {kEcc, kRows, kClocks, kIdle}) {
    const auto verdicts = judged(check, sound_node(1));
    EXPECT_EQ(verdicts.size(), 2u) << check;
    for (const auto& [subject, verdict] : verdicts) EXPECT_EQ(verdict.status, Status::pass) << check << " " << subject;
  }
}

TEST(GpuHealth, ANodeWithoutGpusIsNotApplicable) {
  for (const char* check : {kEcc, kRows, kClocks, kIdle})
    EXPECT_EQ(status_of(check, bare_node(1), "node/n1"), "not_applicable") << check;
}

TEST(GpuHealth, AnUncountedNodeIsUnknown) {
  for (const char* check : {kEcc, kRows, kClocks, kIdle}) {
    EXPECT_EQ(status_of(check, {unseen(node_path(1), "gpu.count", Absence::unsupported)}, "node/n1"), "unknown")
        << check;
    EXPECT_EQ(status_of(check, {seen(node_path(1), "gpu.count", "eight")}, "node/n1"), "unknown") << check;
  }
}

TEST(GpuHealth, GpusThatWereCountedButNotSeenAreUnknown) {
  EXPECT_EQ(status_of(kEcc, with(sound_node(1), seen(node_path(1), "gpu.count", std::int64_t{8})), "node/n1"),
            "unknown");
}

TEST(GpuEcc, Unsound) {
  EXPECT_EQ(status_with(kEcc, changed("gpu.ecc-mode", "disabled")), "fail");
  EXPECT_EQ(status_with(kEcc, changed("gpu.ecc-uncorrected-volatile", std::int64_t{1})), "fail");
  EXPECT_EQ(status_with(kEcc, changed("gpu.sram-threshold-exceeded", true)), "fail");
  EXPECT_EQ(status_with(kEcc, changed("gpu.sram-uncorrected-aggregate", std::int64_t{5})), "warn");
}

TEST(GpuEcc, CorrectedErrorsAreNotUncorrectedOnes) {
  EXPECT_EQ(status_with(kEcc, changed("gpu.ecc-corrected-volatile", std::int64_t{177})), "pass");
  EXPECT_EQ(status_with(kEcc, changed("gpu.ecc-uncorrected-aggregate", std::int64_t{1})), "pass");
}

TEST(GpuEcc, Unreadable) {
  EXPECT_EQ(status_with(kEcc, hidden("gpu.ecc-mode", Absence::unsupported)), "unknown");
  EXPECT_EQ(status_with(kEcc, hidden("gpu.ecc-uncorrected-volatile")), "unknown");
  EXPECT_EQ(status_with(kEcc, changed("gpu.ecc-uncorrected-volatile", "none")), "unknown");
  for (const char* name : {"gpu.sram-uncorrected-aggregate", "gpu.sram-threshold-exceeded"}) {
    EXPECT_EQ(status_with(kEcc, hidden(name, Absence::unsupported)), "pass") << "older GPUs don't keep it";
    for (const auto reason : {Absence::permission, Absence::timeout, Absence::missing, Absence::malformed})
      EXPECT_EQ(status_with(kEcc, hidden(name, reason)), "unknown") << name;
    EXPECT_EQ(status_with(kEcc, changed(name, "few")), "unknown") << name;
  }
  // A gap hides no failure.
  EXPECT_EQ(
      status_of(kEcc,
                with(with(sound_node(1), hidden("gpu.ecc-uncorrected-volatile")), changed("gpu.ecc-mode", "disabled")),
                "node/n1/gpu/0"),
      "fail");
}

TEST(GpuRows, Unsound) {
  EXPECT_EQ(status_with(kRows, changed("gpu.remap-failed", true)), "fail");
  EXPECT_EQ(status_with(kRows, changed("gpu.remap-pending", true)), "warn");
  EXPECT_EQ(status_with(kRows, changed("gpu.retired-pages-pending", true)), "warn");
  EXPECT_EQ(status_with(kRows, changed("gpu.remapped-rows-uncorrectable", std::int64_t{4})), "pass");
}

TEST(GpuRows, Unreadable) {
  EXPECT_EQ(status_with(kRows, hidden("gpu.remap-failed", Absence::missing)), "unknown");
  EXPECT_EQ(status_with(kRows, changed("gpu.remap-pending", "Yes?")), "unknown");
}

TEST(GpuRows, OlderGpusRetirePages) {
  auto old = with(with(sound_node(1), hidden("gpu.remap-failed", Absence::unsupported)),
                  hidden("gpu.remap-pending", Absence::unsupported));
  EXPECT_EQ(status_of(kRows, old, "node/n1/gpu/0"), "unknown");
  old = with(old, changed("gpu.retired-pages-pending", false));
  EXPECT_EQ(status_of(kRows, old, "node/n1/gpu/0"), "pass");
  for (const char* name : {"gpu.remap-failed", "gpu.remap-pending"})
    for (const auto reason : {Absence::permission, Absence::timeout, Absence::missing, Absence::malformed})
      EXPECT_EQ(status_of(kRows, with(old, hidden(name, reason)), "node/n1/gpu/0"), "unknown") << name;
}

TEST(GpuClocks, ByReason) {
  const auto status = [](TextList reasons) { return status_with(kClocks, changed("gpu.throttle-reasons", reasons)); };
  EXPECT_EQ(status({"hw-slowdown", "hw-power-brake"}), "fail");
  EXPECT_EQ(status({"gpu-idle", "hw-thermal-slowdown"}), "fail");
  EXPECT_EQ(status({"sw-thermal-slowdown"}), "warn");
  EXPECT_EQ(status({}), "pass");
  EXPECT_EQ(status({"sw-power-cap"}), "pass");
  EXPECT_EQ(status({"application-clocks", "sync-boost"}), "pass");
  EXPECT_EQ(status({"bit-0x800"}), "unknown");
  EXPECT_EQ(status_with(kClocks, hidden("gpu.throttle-reasons")), "unknown");
  EXPECT_EQ(status_with(kClocks, changed("gpu.throttle-reasons", "none")), "unknown");
}

TEST(GpuIdlePower, OnlyOfAnIdleGpuWithAKnownCeiling) {
  EXPECT_EQ(status_with(kIdle, changed("gpu.power", 151.0)), "warn");
  EXPECT_EQ(status_with(kIdle, changed("gpu.power", 150.0)), "pass");
  EXPECT_EQ(status_with(kIdle, hidden("gpu.power")), "unknown");
  EXPECT_EQ(status_with(kIdle, changed("gpu.power", "N/A")), "unknown");
  EXPECT_EQ(status_with(kIdle, hidden("gpu.processes")), "unknown");
  EXPECT_EQ(status_with(kIdle, changed("gpu.name", "NVIDIA X900")), "unknown");
  const auto busy = with(with(sound_node(1), changed("gpu.power", 690.0)), changed("gpu.processes", std::int64_t{1}));
  EXPECT_EQ(status_of(kIdle, busy, "node/n1/gpu/0"), "not_applicable");
  // A newer GPU has its own ceiling.
  const auto blackwell = with(with(sound_node(1), changed("gpu.power", 240.0)), changed("gpu.name", "NVIDIA B200"));
  EXPECT_EQ(status_of(kIdle, blackwell, "node/n1/gpu/0"), "pass");
}

TEST(GpuHealth, ALostGpuIsUnknownWithItsReason) {
  const auto verdicts =
      judged(kEcc, with(sound_node(1), unseen(gpu_path(1, 0), "gpu.ecc-mode", Absence::missing, "GPU is lost")));
  EXPECT_EQ(verdicts.at("node/n1/gpu/0").status, Status::unknown);
  EXPECT_THAT(verdicts.at("node/n1/gpu/0").why, HasSubstr("GPU is lost"));
}

}  // namespace
}  // namespace assay::testing
