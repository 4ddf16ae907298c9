#include <gtest/gtest.h>

#include "judging.hpp"

namespace assay::testing {
namespace {

const std::string kNode = "cluster/c/node/n1";

struct Shown {
  const char* check;
  TextList needed;
};

class GpuMetrics : public ::testing::TestWithParam<Shown> {
 protected:
  std::string status(Value metrics) {
    return status_of(GetParam().check, {seen(kNode + "/exporter/dcgm", "exporter.metrics", std::move(metrics))},
                     "node/n1");
  }
};

TEST_P(GpuMetrics, SoundAndEachLackAlone) {
  TextList metrics = GetParam().needed;
  metrics.insert(metrics.begin(), "DCGM_FI_DEV_SM_CLOCK");
  EXPECT_EQ(status(metrics), "pass");
  for (const std::string& name : GetParam().needed) {
    TextList rest = metrics;
    std::erase(rest, name);
    EXPECT_EQ(status(rest), "fail") << name;
    // A name that only begins alike is another metric.
    rest.push_back(name + "_X");
    EXPECT_EQ(status(rest), "fail") << name;
  }
}

TEST_P(GpuMetrics, UnreadableMalformedNotApplicable) {
  EXPECT_EQ(status(TextList{"go_goroutines"}), "unknown");
  EXPECT_EQ(status(std::int64_t{3}), "unknown");
  EXPECT_EQ(
      status_of(GetParam().check, {unseen(kNode + "/exporter/dcgm", "exporter.metrics", Absence::missing)}, "node/n1"),
      "unknown");
  EXPECT_EQ(status_of(GetParam().check, {seen(kNode, "gpu.count", std::int64_t{0}, "1")}, "node/n1"), "not_applicable");
}

INSTANTIATE_TEST_SUITE_P(All, GpuMetrics,
                         ::testing::Values(Shown{"monitoring.sm-active", {"DCGM_FI_PROF_SM_ACTIVE"}},
                                           Shown{"monitoring.sm-occupancy", {"DCGM_FI_PROF_SM_OCCUPANCY"}},
                                           Shown{"monitoring.tensor-active", {"DCGM_FI_PROF_PIPE_TENSOR_ACTIVE"}},
                                           Shown{"monitoring.pcie-replay", {"DCGM_FI_DEV_PCIE_REPLAY_COUNTER"}},
                                           Shown{"monitoring.ecc-shown", {"DCGM_FI_DEV_ECC_DBE_VOL_TOTAL"}},
                                           Shown{"monitoring.power-and-temperature",
                                                 {"DCGM_FI_DEV_POWER_USAGE", "DCGM_FI_DEV_GPU_TEMP"}},
                                           Shown{"monitoring.link-throughput",
                                                 {"DCGM_FI_PROF_PCIE_TX_BYTES", "DCGM_FI_PROF_PCIE_RX_BYTES"}}));

}  // namespace
}  // namespace assay::testing
