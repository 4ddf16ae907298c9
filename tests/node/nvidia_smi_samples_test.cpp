// Real captures of nvidia-smi; what is in each was written down by reading it before the parser was run.
#include <gmock/gmock.h>

#include "node/facts/nvidia_smi_detail.hpp"
#include "node/facts/rocm_smi_detail.hpp"
#include "reading.hpp"

namespace assay::testing {
namespace {

using ::testing::HasSubstr;

std::string sample(const std::string& name) { return read_file(samples() / "nodes/nvidia-smi" / name); }

Reading read_sample(const std::string& name) {
  TemporaryFolder tree;
  tree.write("/sos_commands/nvidia/nvidia-smi_-q", sample(name));
  return read_tree("gpu", tree.string());
}

class NvidiaSmiSamples : public ::testing::Test {
 protected:
  void SetUp() override {
    if (samples().empty()) GTEST_SKIP() << "no ../shared/samples";
  }
};

TEST_F(NvidiaSmiSamples, A10WithARowThatWaitsForAReset) {
  const Reading reading = read_sample("q-a10-535.129.03-remap-pending.txt");
  EXPECT_EQ(reading.text("", "gpu.count"), "1");
  EXPECT_EQ(reading.text("", "gpu.driver-version"), "535.129.03");
  EXPECT_EQ(reading.text("", "gpu.cuda-version"), "12.2");
  const std::pair<const char*, const char*> expected[] = {
      {"gpu.name", "NVIDIA A10"},
      {"gpu.state", "ok"},
      {"gpu.pci-address", "0000:07:00.0"},
      {"gpu.memory-total", "24146608128"},
      {"gpu.ecc-mode", "enabled"},
      {"gpu.ecc-uncorrected-volatile", "0"},
      {"gpu.remapped-rows-correctable", "0"},
      {"gpu.remapped-rows-uncorrectable", "4"},
      {"gpu.remap-pending", "true"},
      {"gpu.remap-failed", "false"},
      {"gpu.retired-pages-pending", "<absent unsupported>"},
      {"gpu.throttle-reasons", "gpu-idle"},
      {"gpu.virtualization", "passthrough"},
      {"gpu.mig-mode", "<absent unsupported>"},
      {"gpu.power", "43.89"},
      {"gpu.power-limit", "150"},
      {"gpu.clock-sm", "225"},
      {"gpu.clock-memory-max", "6251"},
      {"gpu.temperature", "33"},
      {"gpu.pcie-generation", "4"},
      {"gpu.pcie-width-max", "16"},
      {"gpu.fabric-state", "<absent unsupported>"},
      {"gpu.processes", "0"},
  };
  for (const auto& [name, value] : expected) EXPECT_EQ(reading.text("gpu/0", name), value) << name;
}

TEST_F(NvidiaSmiSamples, EightH100AllSlowedByThePowerBrake) {
  const Reading reading = read_sample("q-8xh100-535.161.08-hw-slowdown.txt");
  EXPECT_EQ(reading.text("", "gpu.count"), "8");
  for (int index = 0; index < 8; ++index) {
    const std::string gpu = "gpu/" + std::to_string(index);
    EXPECT_EQ(reading.text(gpu, "gpu.throttle-reasons"), "hw-slowdown, hw-power-brake") << gpu;
    EXPECT_EQ(reading.text(gpu, "gpu.sram-threshold-exceeded"), "false") << gpu;
    EXPECT_EQ(reading.text(gpu, "gpu.ecc-uncorrected-aggregate"), "0") << gpu;
    EXPECT_EQ(reading.text(gpu, "gpu.fabric-state"), "completed") << gpu;
    EXPECT_EQ(reading.text(gpu, "gpu.persistence-mode"), "true") << gpu;
  }
  EXPECT_EQ(reading.text("gpu/0", "gpu.pcie-replays"), "67");
  EXPECT_EQ(reading.text("gpu/7", "gpu.name"), "NVIDIA H100 80GB HBM3");
}

TEST_F(NvidiaSmiSamples, AFieldThatNoCardHasIsNoFaultOfTheOthers) {
  const Reading reading = read_sample("q-8x4090-535.154.05-addrmode-unknown-error.txt");
  EXPECT_EQ(reading.text("", "gpu.count"), "8");
  EXPECT_EQ(reading.text("gpu/7", "gpu.name"), "NVIDIA GeForce RTX 4090");
  EXPECT_EQ(reading.text("gpu/0", "gpu.serial"), "<absent unsupported>");
  EXPECT_EQ(reading.text("gpu/0", "gpu.ecc-mode"), "disabled");
  EXPECT_EQ(reading.text("gpu/0", "gpu.ecc-corrected-volatile"), "<absent unsupported>");
  EXPECT_EQ(reading.text("gpu/1", "gpu.processes"), "0");
}

TEST_F(NvidiaSmiSamples, TitanV) {
  const Reading reading = read_sample("q-titan-v-560.35.03.txt");
  EXPECT_EQ(reading.text("gpu/0", "gpu.memory-total"), "12884901888");
  EXPECT_EQ(reading.text("gpu/0", "gpu.persistence-mode"), "false");
  EXPECT_EQ(reading.text("gpu/0", "gpu.ecc-uncorrected-volatile"), "<absent unsupported>");
}

TEST_F(NvidiaSmiSamples, WhatIsNotAWholeTextIsRefusedWithWords) {
  const std::pair<const char*, const char*> expected[] = {
      {"q-8xh100-535.183.01-cut-after-first-gpu.txt", "says that 8 GPUs are attached, but holds 1"},
      {"q-ecc-a100-510.73.08-excerpt-remap-pending.txt", "NVSMI LOG"},
      {"q-clocks-k80-375.66.txt", "cut off or partial"},
      {"error-gpu-is-lost.txt", "GPU is lost"},
      {"error-couldnt-communicate-with-driver.txt", "couldn't communicate"},
      {"table-8xh100-550.90.07.txt", "no NVSMI LOG"},
      {"xml-tesla-t4.xml", "no NVSMI LOG"},
      {"xml-a100-sxm4-v12.xml", "no NVSMI LOG"},
      {"topo-m-8xh100-nv18.txt", "no NVSMI LOG"},
      {"L-8x-rtx8000.txt", "no NVSMI LOG"},
      {"rocm-smi-8xmi300x.txt", "no NVSMI LOG"},
  };
  for (const auto& [name, words] : expected) {
    const auto report = node::gpu::parse_smi(sample(name));
    ASSERT_FALSE(report) << name;
    EXPECT_EQ(report.error().reason, Absence::malformed) << name;
    EXPECT_THAT(report.error().detail, HasSubstr(words)) << name;
  }
}

TEST_F(NvidiaSmiSamples, RocmSmiOfFourVersions) {
  const auto mi100 = node::gpu::parse_rocm(sample("rocm-smi-mi100-rocm5.7.1.json"));
  ASSERT_TRUE(mi100);
  EXPECT_EQ(mi100->driver_version, "6.2.4");
  EXPECT_EQ(mi100->names.size(), 6u);
  EXPECT_EQ(mi100->names.at("0000:1e:00.0"), "Arcturus GL-XL [Instinct MI100]");
  const auto newer = node::gpu::parse_rocm(sample("rocm-smi-mi100-rocm6.0.2.json"));
  ASSERT_TRUE(newer);
  EXPECT_EQ(newer->driver_version, "6.3.6");
  EXPECT_EQ(newer->names.size(), 4u);
  const auto vega = node::gpu::parse_rocm(sample("rocm-smi-vega20.json"));
  ASSERT_TRUE(vega);
  EXPECT_EQ(vega->names.at("0000:63:00.0"), "Radeon Instinct MI50 32GB");
  const auto rx = node::gpu::parse_rocm(sample("rocm-smi-rx6700xt-rocm4.3.0.json"));
  ASSERT_TRUE(rx);
  EXPECT_FALSE(rx->names.at("0000:07:00.0"));
  EXPECT_FALSE(node::gpu::parse_rocm(sample("rocm-smi-8xmi300x.txt")));
}

}  // namespace
}  // namespace assay::testing
