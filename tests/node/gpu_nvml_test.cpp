#include <dlfcn.h>
#include <gmock/gmock.h>

#include "node/facts/gpu_nvml_detail.hpp"
#include "reading.hpp"

namespace assay::testing {
namespace {

using ::testing::HasSubstr;

// The library once loaded by its path is found again by its name, which is how the reader asks for it.
class Nvml : public ::testing::Test {
 protected:
  Nvml() {
    static void* library = dlopen(ASSAY_FAKE_NVML, RTLD_NOW);
    if (library == nullptr) throw std::runtime_error(dlerror());
    bend_ = reinterpret_cast<void (*)(const char*, int)>(dlsym(library, "fakeNvml"));
    reinterpret_cast<void (*)()>(dlsym(library, "fakeNvmlSound"))();
  }
  void bend(const char* key, int value) { bend_(key, value); }

 private:
  void (*bend_)(const char*, int);
};

TEST_F(Nvml, TellsAllOfASoundGpu) {
  const Reading reading = read_live("gpu");
  EXPECT_EQ(reading.text("", "gpu.count"), "8");
  EXPECT_EQ(reading.text("", "gpu.driver-version"), "570.86.15");
  EXPECT_EQ(reading.text("", "gpu.cuda-version"), "12.8");
  EXPECT_EQ(reading.text("", "nvml.stand-in"), "true");
  const std::pair<const char*, const char*> expected[] = {
      {"gpu.vendor", "nvidia"},
      {"gpu.state", "ok"},
      {"gpu.name", "NVIDIA H100 80GB HBM3"},
      {"gpu.uuid", "GPU-00000002"},
      {"gpu.pci-address", "0000:3b:00.0"},
      {"gpu.memory-total", "85520809984"},
      {"gpu.ecc-mode", "enabled"},
      {"gpu.ecc-corrected-volatile", "1000"},
      {"gpu.ecc-corrected-aggregate", "1001"},
      {"gpu.ecc-uncorrected-volatile", "1010"},
      {"gpu.ecc-uncorrected-aggregate", "1011"},
      {"gpu.sram-uncorrected-aggregate", "3"},
      {"gpu.sram-threshold-exceeded", "false"},
      {"gpu.remapped-rows-correctable", "3"},
      {"gpu.remapped-rows-uncorrectable", "4"},
      {"gpu.remap-pending", "false"},
      {"gpu.remap-failed", "false"},
      {"gpu.persistence-mode", "true"},
      {"gpu.compute-mode", "exclusive-process"},
      {"gpu.virtualization", "passthrough"},
      {"gpu.clock-sm", "1980"},
      {"gpu.clock-memory-max", "2619"},
      {"gpu.throttle-reasons", "gpu-idle"},
      {"gpu.power", "71.345"},
      {"gpu.power-limit", "700"},
      {"gpu.power-limit-default", "700"},
      {"gpu.nvlink-replays", "18"},
      {"gpu.nvlink-recoveries", "1800"},
      {"gpu.nvlink-crc-errors", "18180000"},
      {"gpu.processes", "0"},
      {"gpu.pcie-width", "16"},
      {"gpu.pcie-replays", "67"},
      {"gpu.fabric-state", "completed"},
  };
  for (const auto& [name, value] : expected) EXPECT_EQ(reading.text("gpu/2", name), value) << name;
  EXPECT_EQ(reading.find("gpu/2", "gpu.power")->unit, "W");
  EXPECT_THAT(reading.text("gpu/2", "gpu.nvlink-versions"), HasSubstr("4.0"));
  EXPECT_EQ(std::get<TextList>(*reading.find("gpu/2", "gpu.nvlink-states")->value()).size(), 18u);
  EXPECT_THAT(reading.transcript, HasSubstr("gpu.remap-pending = false"));
}

TEST_F(Nvml, AFieldsErrorIsItsOwnAbsence) {
  bend("nvmlDeviceGetSerial", node::nvml::no_permission);
  bend("nvmlDeviceGetEccMode", node::nvml::not_supported);
  bend("nvmlDeviceGetPowerUsage", node::nvml::timed_out);
  bend("nvmlDeviceGetVbiosVersion", node::nvml::corrupted_inforom);
  const Reading reading = read_live("gpu");
  EXPECT_EQ(reading.text("gpu/0", "gpu.serial"), "<absent permission>");
  EXPECT_EQ(reading.text("gpu/0", "gpu.ecc-mode"), "<absent unsupported>");
  EXPECT_EQ(reading.text("gpu/0", "gpu.power"), "<absent timeout>");
  EXPECT_EQ(reading.text("gpu/0", "gpu.vbios"), "<absent malformed>");
  EXPECT_EQ(reading.text("gpu/0", "gpu.name"), "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(reading.text("gpu/0", "gpu.state"), "ok");
}

TEST_F(Nvml, ErrorsAreCountedOnActiveLinksAndAGapLeavesTheSumOpen) {
  bend("last-link", 0);
  EXPECT_EQ(read_live("gpu").text("gpu/0", "gpu.nvlink-replays"), "17");
  bend("link-16-errors", node::nvml::timed_out);
  EXPECT_EQ(read_live("gpu").text("gpu/0", "gpu.nvlink-replays"), "<absent timeout>");
  // NVLink 5 counts its errors elsewhere.
  bend("nvmlDeviceGetNvLinkErrorCounter", node::nvml::not_supported);
  EXPECT_EQ(read_live("gpu").text("gpu/0", "gpu.nvlink-crc-errors"), "<absent unsupported>");
  bend("nvmlDeviceGetNvLinkState", node::nvml::not_supported);
  EXPECT_EQ(read_live("gpu").text("gpu/0", "gpu.nvlink-recoveries"), "<absent unsupported>");
}

TEST_F(Nvml, TheFabricsStateWithItsOutcome) {
  bend("fabric", 1);
  EXPECT_EQ(read_live("gpu").text("gpu/0", "gpu.fabric-state"), "not-started");
  bend("fabric", 3);
  bend("fabric-status", node::nvml::timed_out);
  EXPECT_EQ(read_live("gpu").text("gpu/0", "gpu.fabric-state"), "completed with error: timed out");
}

TEST_F(Nvml, ALostGpuStaysASubject) {
  bend("gpu5", node::nvml::gpu_is_lost);
  const Reading reading = read_live("gpu");
  EXPECT_EQ(reading.text("", "gpu.count"), "8");
  EXPECT_EQ(reading.text("gpu/5", "gpu.state"), "lost");
  EXPECT_EQ(reading.text("gpu/5", "gpu.name"), "<absent missing>");
  EXPECT_EQ(reading.text("gpu/4", "gpu.state"), "ok");
}

TEST_F(Nvml, AGpuLostBetweenTwoAnswersIsLost) {
  bend("nvmlDeviceGetPowerUsage", node::nvml::gpu_is_lost);
  const Reading reading = read_live("gpu");
  EXPECT_EQ(reading.text("gpu/0", "gpu.state"), "lost");
  EXPECT_EQ(reading.text("gpu/0", "gpu.power"), "<absent missing>");
}

TEST_F(Nvml, ADriverThatDoesNotAnswerIsNoZero) {
  bend("nvmlInit_v2", node::nvml::driver_not_loaded);
  const Reading reading = read_live("gpu");
  EXPECT_NE(reading.text("", "gpu.count"), "8");
  EXPECT_EQ(reading.text("", "gpu.cuda-version"), "<absent unsupported>");
}

TEST(ThrottleNames, KnowEveryBit) {
  EXPECT_EQ(node::gpu::throttle_names(0x88), (TextList{"hw-slowdown", "hw-power-brake"}));
  EXPECT_EQ(node::gpu::throttle_names(1ULL << 40), (TextList{"bit-0x10000000000"}));
}

}  // namespace
}  // namespace assay::testing
