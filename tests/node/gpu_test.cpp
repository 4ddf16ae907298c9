#include <gmock/gmock.h>

#include "node/facts/gpu_amd_detail.hpp"
#include "node/facts/nvidia_module_detail.hpp"
#include "node/facts/nvidia_smi_detail.hpp"
#include "node/facts/rocm_smi_detail.hpp"
#include "reading.hpp"

namespace assay::testing {
namespace {

using ::testing::HasSubstr;

void add_pci(const TemporaryFolder& tree, const std::string& address, const std::string& vendor,
             const std::string& class_code) {
  const std::string folder = "/sys/bus/pci/devices/" + address;
  tree.write(folder + "/vendor", vendor + "\n");
  tree.write(folder + "/class", class_code + "\n");
}

TEST(Gpu, NoneIsOnlySaidWhereTheBusHoldsNone) {
  TemporaryFolder tree;
  EXPECT_EQ(read_tree("gpu", tree.string()).text("", "gpu.count"), "<absent unsupported>");
  add_pci(tree, "0000:00:02.0", "0x1a03", "0x030000");  // the BMC's display
  add_pci(tree, "0000:07:00.0", "0x10de", "0x068000");  // an NVSwitch
  const Reading reading = read_tree("gpu", tree.string());
  EXPECT_EQ(reading.text("", "gpu.count"), "0");
  EXPECT_EQ(reading.text("", "gpu.pci-count"), "0");
}

TEST(Gpu, AnEmptyBusInACopiedTreeSaysNothing) {
  TemporaryFolder tree;
  std::filesystem::create_directories(tree.path() / "sys/bus/pci/devices");
  EXPECT_EQ(read_tree("gpu", tree.string()).text("", "gpu.count"), "<absent unsupported>");
}

TEST(Gpu, ADriverThatIsNotLoadedIsToldApart) {
  TemporaryFolder tree;
  add_pci(tree, "0000:1a:00.0", "0x10de", "0x030200");
  add_pci(tree, "0000:2a:00.0", "0x10de", "0x030200");
  tree.link("/sys/bus/pci/devices/0000:1a:00.0/driver", "../../../../bus/pci/drivers/nvidia");
  const Reading reading = read_tree("gpu", tree.string());
  EXPECT_EQ(reading.text("", "gpu.pci-count"), "2");
  EXPECT_EQ(reading.text("", "gpu.pci-drivers"), "0000:1a:00.0=nvidia, 0000:2a:00.0=none");
  EXPECT_EQ(reading.text("", "gpu.count"), "<absent unsupported>");
}

TEST(Gpu, VirtualFunctionsOfItsOwnCardsAreNotCounted) {
  TemporaryFolder tree;
  add_pci(tree, "0000:1a:00.0", "0x10de", "0x030200");
  add_pci(tree, "0000:1a:00.4", "0x10de", "0x030200");
  tree.write("/sys/bus/pci/devices/0000:1a:00.4/physfn/vendor", "0x10de");
  EXPECT_EQ(read_tree("gpu", tree.string()).text("", "gpu.pci-count"), "1");
}

TEST(Gpu, ADeviceThatCannotBeReadLeavesTheCountOpen) {
  TemporaryFolder tree;
  add_pci(tree, "0000:1a:00.0", "nonsense", "0x030200");
  EXPECT_EQ(read_tree("gpu", tree.string()).text("", "gpu.count"), "<absent malformed>");
}

TEST(Gpu, ModuleOpenAndClosed) {
  TemporaryFolder tree;
  tree.write("/proc/driver/nvidia/version",
             "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.15  Release Build  (dvs-builder)\n");
  tree.write("/proc/driver/nvidia/params", "ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 1\n");
  const Reading reading = read_tree("gpu", tree.string());
  EXPECT_EQ(reading.text("", "gpu.module-version"), "570.86.15");
  EXPECT_EQ(reading.text("", "gpu.module-flavor"), "open");
  EXPECT_EQ(reading.text("", "gpu.profiling-admin-only"), "true");
  EXPECT_EQ(reading.text("", "gpu.driver-version"), "570.86.15");
  const auto closed = node::gpu::parse_module(
      "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.161.08  Sat Feb 10 08:16:29 UTC 2024\n");
  ASSERT_TRUE(closed);
  EXPECT_EQ(closed->version, "535.161.08");
  EXPECT_FALSE(closed->open);
}

TEST(Gpu, AModuleErrorWithANumberIsNoVersion) {
  EXPECT_FALSE(node::gpu::parse_module("NVRM version: failed with error 12.5\n"));
  EXPECT_FALSE(node::gpu::parse_module(""));
  EXPECT_FALSE(node::gpu::parse_parameter("RmProfilingAdminOnly: maybe\n", "RmProfilingAdminOnly"));
}

TEST(Gpu, AmdIsReadFromSysfs) {
  TemporaryFolder tree;
  const std::string pci = "/sys/bus/pci/devices/0000:1b:00.0";
  add_pci(tree, "0000:1b:00.0", "0x1002", "0x120000");
  tree.link("/sys/class/drm/card1/device", pci);
  tree.write("/sys/class/drm/card1-DP-1/status", "disconnected\n");
  tree.write("/sys/class/drm/renderD128/dev", "226:128\n");
  tree.write(pci + "/mem_info_vram_total", "206141652992\n");
  tree.write(pci + "/gpu_busy_percent", "0\n");
  tree.write(pci + "/current_link_speed", "32.0 GT/s PCIe\n");
  tree.write(pci + "/max_link_speed", "unknown\n");
  tree.write(pci + "/current_link_width", "16\n");
  tree.write(pci + "/hwmon/hwmon3/power1_input", "173000000\n");
  const Reading reading = read_tree("gpu", tree.string());
  EXPECT_EQ(reading.text("", "gpu.count"), "1");
  EXPECT_EQ(reading.text("gpu/0", "gpu.vendor"), "amd");
  EXPECT_EQ(reading.text("gpu/0", "gpu.state"), "ok");
  EXPECT_EQ(reading.text("gpu/0", "gpu.pci-address"), "0000:1b:00.0");
  EXPECT_EQ(reading.text("gpu/0", "gpu.memory-total"), "206141652992");
  EXPECT_EQ(reading.text("gpu/0", "gpu.pcie-generation"), "5");
  EXPECT_EQ(reading.text("gpu/0", "gpu.pcie-generation-max"), "<absent malformed>");
  EXPECT_EQ(reading.text("gpu/0", "gpu.power"), "173");
  EXPECT_EQ(reading.text("gpu/0", "gpu.ecc-mode"), "<absent unsupported>");
}

TEST(RocmSmi, NamesByAddress) {
  const auto report = node::gpu::parse_rocm(
      R"({"card0": {"PCI Bus": "0000:1E:00.0", "Card series": "Arcturus GL-XL [Instinct MI100]"},
          "card1": {"PCI Bus": "0000:21:00.0", "Card series": "0x1002"},
          "card2": {"PCI Bus": "0000:24:00.0", "Card series": "N/A"},
          "system": {"Driver version": "6.2.4"}})");
  ASSERT_TRUE(report);
  EXPECT_EQ(report->driver_version, "6.2.4");
  EXPECT_EQ(report->names.at("0000:1e:00.0"), "Arcturus GL-XL [Instinct MI100]");
  EXPECT_EQ(report->names.at("0000:21:00.0").error().reason, Absence::malformed);
  EXPECT_EQ(report->names.at("0000:24:00.0").error().reason, Absence::unsupported);
}

TEST(RocmSmi, WhatIsNoJsonIsRefused) {
  EXPECT_FALSE(node::gpu::parse_rocm("WARNING: No JSON data to report"));
  EXPECT_FALSE(node::gpu::parse_rocm(R"({"card0": {"PCI Bus")"));
  EXPECT_FALSE(node::gpu::parse_rocm(R"({"card0": 7})"));
}

// A report with one small but whole GPU section.
std::string small_smi(const std::string& inside) {
  return "==============NVSMI LOG==============\n\nTimestamp                                 : Wed Sep 25 10:40:24 "
         "2024\n"
         "Driver Version                            : 535.129.03\nCUDA Version                              : 12.2\n\n"
         "Attached GPUs                             : 1\nGPU 00000000:07:00.0\n" +
         inside + "    Processes                             : None\n\n";
}

TEST(NvidiaSmi, ValuesAreReadOrAbsentWithTheirReason) {
  TemporaryFolder tree;
  tree.write("/sos_commands/nvidia/nvidia-smi_-q", small_smi("    Product Name                          : NVIDIA A10\n"
                                                             "    Persistence Mode                      : ERR!\n"
                                                             "    Compute Mode                          : N/A\n"
                                                             "    FB Memory Usage\n"
                                                             "        Total                             : 23028 MiB\n"
                                                             "    Remapped Rows\n"
                                                             "        Pending                           : Yes\n"
                                                             "    Temperature\n"
                                                             "        GPU Current Temp                  : 33 F\n"
                                                             "    GPU Power Readings\n"
                                                             "        Power Draw                        : 43.89 W\n"));
  const Reading reading = read_tree("gpu", tree.string());
  EXPECT_EQ(reading.text("", "gpu.count"), "1");
  EXPECT_EQ(reading.text("gpu/0", "gpu.name"), "NVIDIA A10");
  EXPECT_EQ(reading.text("gpu/0", "gpu.pci-address"), "0000:07:00.0");
  EXPECT_EQ(reading.text("gpu/0", "gpu.persistence-mode"), "<absent malformed>");
  EXPECT_EQ(reading.text("gpu/0", "gpu.compute-mode"), "<absent unsupported>");
  EXPECT_EQ(reading.text("gpu/0", "gpu.memory-total"), "24146608128");
  EXPECT_EQ(reading.text("gpu/0", "gpu.remap-pending"), "true");
  EXPECT_EQ(reading.text("gpu/0", "gpu.temperature"), "<absent malformed>");
  EXPECT_EQ(reading.text("gpu/0", "gpu.power"), "43.89");
  EXPECT_EQ(reading.text("gpu/0", "gpu.processes"), "0");
  EXPECT_EQ(reading.text("gpu/0", "gpu.serial"), "<absent unsupported>");
}

// One GPU's value in a report that holds only these lines of it.
std::string smi_tells(const std::string& inside, const std::string& name) {
  TemporaryFolder tree;
  tree.write("/sos_commands/nvidia/nvidia-smi_-q", small_smi(inside));
  return read_tree("gpu", tree.string()).text("gpu/0", name);
}

TEST(NvidiaSmi, EccInTheLayoutsOfThreeTimes) {
  const std::string by_bits =
      "    ECC Errors\n        Volatile\n            Single Bit\n                Device Memory             : 5\n"
      "                Total                     : 5\n            Double Bit\n"
      "                Device Memory             : 2\n                Total                     : 2\n";
  EXPECT_EQ(smi_tells(by_bits, "gpu.ecc-corrected-volatile"), "5");
  EXPECT_EQ(smi_tells(by_bits, "gpu.ecc-uncorrected-volatile"), "2");
  const std::string by_kind =
      "    ECC Errors\n        Volatile\n            SRAM Correctable              : 1\n"
      "            SRAM Uncorrectable            : 2\n            DRAM Correctable              : 10\n"
      "            DRAM Uncorrectable            : 20\n";
  EXPECT_EQ(smi_tells(by_kind, "gpu.ecc-corrected-volatile"), "11");
  EXPECT_EQ(smi_tells(by_kind, "gpu.ecc-uncorrected-volatile"), "22");
  const std::string apart =
      "    ECC Errors\n        Aggregate\n            SRAM Correctable              : 1\n"
      "            SRAM Uncorrectable Parity     : 2\n            SRAM Uncorrectable SEC-DED    : 3\n"
      "            DRAM Correctable              : 10\n            DRAM Uncorrectable            : 20\n"
      "            SRAM Threshold Exceeded       : No\n";
  EXPECT_EQ(smi_tells(apart, "gpu.ecc-uncorrected-aggregate"), "25");
  EXPECT_EQ(smi_tells(apart, "gpu.sram-uncorrected-aggregate"), "5");
  EXPECT_EQ(smi_tells(apart, "gpu.sram-threshold-exceeded"), "false");
}

TEST(NvidiaSmi, ThrottleReasons) {
  const std::string reasons =
      "    Clocks Event Reasons\n        Idle                              : Not Active\n"
      "        Applications Clocks Setting       : Not Active\n        SW Power Cap                      : Not Active\n"
      "        HW Slowdown                       : Active\n            HW Thermal Slowdown           : Not Active\n"
      "            HW Power Brake Slowdown       : Active\n        Sync Boost                        : Not Active\n"
      "        SW Thermal Slowdown               : Not Active\n"
      "        Display Clock Setting             : Not Active\n";
  EXPECT_EQ(smi_tells(reasons, "gpu.throttle-reasons"), "hw-slowdown, hw-power-brake");
}

TEST(NvidiaSmi, PowerLimitAndItsDefault) {
  EXPECT_EQ(smi_tells("    GPU Power Readings\n        Current Power Limit               : 500.00 W\n"
                      "        Default Power Limit               : 700.00 W\n",
                      "gpu.power-limit-default"),
            "700");
  EXPECT_EQ(smi_tells("    Power Readings\n        Power Limit                       : 150.00 W\n"
                      "        Default Power Limit               : 150.00 W\n",
                      "gpu.power-limit-default"),
            "150");
}

TEST(NvidiaSmi, WhatNoDeviceCanHaveIsNoReading) {
  const auto power = [](const std::string& limit) {
    return smi_tells("    Power Readings\n        Power Limit                       : " + limit + "\n",
                     "gpu.power-limit");
  };
  for (const char* limit : {"-700.00 W", "0.00 W", "700000 W", "700", "nan W"})
    EXPECT_EQ(power(limit), "<absent malformed>");
  const auto most = [](const std::string& clock) {
    return smi_tells("    Max Clocks\n        SM                                : " + clock + "\n", "gpu.clock-sm-max");
  };
  EXPECT_EQ(most("1980 MHz"), "1980");
  for (const char* clock : {"0 MHz", "-5 MHz", "99999999 MHz"}) EXPECT_EQ(most(clock), "<absent malformed>");
  const std::string overflow =
      "    ECC Errors\n        Volatile\n            SRAM Correctable              : 1\n"
      "            SRAM Uncorrectable Parity     : 9223372036854775807\n"
      "            SRAM Uncorrectable SEC-DED    : 1\n            DRAM Correctable              : 1\n"
      "            DRAM Uncorrectable            : 1\n";
  EXPECT_EQ(smi_tells(overflow, "gpu.ecc-uncorrected-volatile"), "<absent malformed>");
}

TEST(NvidiaSmi, AStateThatIsNotToldIsNotOk) {
  const auto state = [](const std::string& word) {
    return smi_tells("    GPU Reset Status\n        Reset Required                    : " + word + "\n", "gpu.state");
  };
  EXPECT_EQ(state("No"), "ok");
  EXPECT_EQ(state("Yes"), "reset-required");
  EXPECT_EQ(state("N/A"), "ok");
  EXPECT_EQ(state("Unknown Error"), "<absent malformed>");
  EXPECT_EQ(state("Perhaps"), "<absent malformed>");
  EXPECT_EQ(smi_tells("", "gpu.state"), "ok");
}

TEST(NvidiaSmi, TheFabricsStateWithItsOutcome) {
  const auto fabric = [](const std::string& state, const std::string& status) {
    return smi_tells("    Fabric\n        State                             : " + state +
                         "\n        Status                            : " + status + "\n",
                     "gpu.fabric-state");
  };
  EXPECT_EQ(fabric("Completed", "Success"), "completed");
  EXPECT_EQ(fabric("Completed", "Timeout"), "completed with error: Timeout");
  EXPECT_EQ(fabric("Completed", "N/A"), "<absent unsupported>") << "how it ended isn't known";
  EXPECT_EQ(fabric("In Progress", "N/A"), "in-progress");
  EXPECT_EQ(fabric("Not Started", "N/A"), "not-started");
  EXPECT_EQ(fabric("N/A", "N/A"), "<absent unsupported>");
}

TEST(NvidiaSmi, ErrorsInWordsAndPartsAreRefused) {
  const auto detail = [](const std::string& text) {
    const auto report = node::gpu::parse_smi(text);
    return report ? "read" : report.error().detail;
  };
  EXPECT_THAT(detail("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n"),
              HasSubstr("couldn't communicate"));
  EXPECT_THAT(detail("Unable to determine the device handle for GPU 0000:05:00.0: GPU is lost.\n"),
              HasSubstr("GPU is lost"));
  EXPECT_THAT(detail(""), HasSubstr("empty"));
  std::string cut = small_smi("    Product Name                          : NVIDIA A10\n");
  cut.resize(cut.find("    Processes"));
  EXPECT_THAT(detail(cut), HasSubstr("cut off"));
  std::string fewer = small_smi("");
  fewer.replace(fewer.find(": 1\n"), 4, ": 8\n");
  EXPECT_THAT(detail(fewer), HasSubstr("holds 1"));
  EXPECT_THAT(detail(small_smi("Unable to determine the device handle for GPU 0000:05:00.0: GPU is lost.\n")),
              HasSubstr("GPU is lost"));
}

}  // namespace
}  // namespace assay::testing
