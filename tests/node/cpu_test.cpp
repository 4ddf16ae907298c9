#include "node/facts/cpu_detail.hpp"

#include <gmock/gmock.h>

#include "base/text.hpp"
#include "reading.hpp"

namespace assay::testing {
namespace {

using namespace node::facts;
using ::testing::HasSubstr;

std::string x86_cpu(int number, int socket, int core, const std::string& flags = "fpu vme sse4_2") {
  const auto line = [](const char* key, const std::string& value) { return std::string(key) + value + "\n"; };
  return line("processor\t: ", std::to_string(number)) + line("model name\t: ", "INTEL(R) XEON(R) PLATINUM 8568Y+") +
         line("microcode\t: ", "0x21000290") + line("physical id\t: ", std::to_string(socket)) +
         line("core id\t\t: ", std::to_string(core)) + line("flags\t\t: ", flags) + "\n";
}

// Two sockets of two cores with two threads each.
std::string x86_info() {
  std::string info;
  for (int i = 0; i < 8; ++i) info += x86_cpu(i, (i / 2) % 2, i % 2);
  return info;
}

constexpr auto kGrace =
    "processor\t: 0\nBogoMIPS\t: 2000.00\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\nCPU part\t: 0xd4f\n\n"
    "processor\t: 1\nBogoMIPS\t: 2000.00\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\nCPU part\t: 0xd4f\n\n";

TEST(Cpu, CountsSocketsCoresAndThreads) {
  TemporaryFolder tree;
  tree.write("/proc/cpuinfo", x86_info());
  tree.write("/sys/devices/system/node/online", "0-1\n");
  tree.write("/sys/devices/system/node/has_cpu", "0-1\n");
  tree.write("/sys/devices/system/cpu/smt/control", "on\n");
  const Reading reading = read_tree("cpu", tree.string());
  EXPECT_EQ(reading.text("", "cpu.model"), "INTEL(R) XEON(R) PLATINUM 8568Y+");
  EXPECT_EQ(reading.text("", "cpu.sockets"), "2");
  EXPECT_EQ(reading.text("", "cpu.cores"), "4");
  EXPECT_EQ(reading.text("", "cpu.threads"), "8");
  EXPECT_EQ(reading.text("", "cpu.guest"), "false");
  EXPECT_EQ(reading.text("", "numa.nodes"), "2");
  EXPECT_EQ(reading.text("", "cpu.smt"), "on");
  EXPECT_EQ(reading.text("", "cpu.governors"), "<absent missing>");
  EXPECT_EQ(reading.text("", "cpu.vulnerabilities"), "<absent missing>");
}

TEST(Cpu, ArmHasItsTopologyInSysfs) {
  TemporaryFolder tree;
  tree.write("/proc/cpuinfo", kGrace);
  for (const std::string cpu : {"cpu0", "cpu1"}) {
    tree.write("/sys/devices/system/cpu/" + cpu + "/topology/physical_package_id", "0\n");
    tree.write("/sys/devices/system/cpu/" + cpu + "/topology/core_id", cpu.substr(3) + "\n");
  }
  const Reading reading = read_tree("cpu", tree.string());
  EXPECT_EQ(reading.text("", "cpu.model"), "implementer 0x41 part 0xd4f");
  EXPECT_EQ(reading.text("", "cpu.sockets"), "1");
  EXPECT_EQ(reading.text("", "cpu.cores"), "2");
  EXPECT_EQ(reading.text("", "cpu.guest"), "<absent unsupported>");
}

TEST(Cpu, DistinctGovernorsOfAllPolicies) {
  TemporaryFolder tree;
  for (int i = 0; i < 12; ++i) {
    const std::string policy = "/sys/devices/system/cpu/cpufreq/policy" + std::to_string(i);
    tree.write(policy + "/scaling_governor", i == 7 ? "powersave\n" : "performance\n");
    tree.write(policy + "/scaling_driver", "acpi-cpufreq\n");
  }
  const Reading reading = read_tree("cpu", tree.string());
  EXPECT_EQ(reading.text("", "cpu.governors"), "performance, powersave");
  EXPECT_EQ(reading.text("", "cpu.frequency-drivers"), "acpi-cpufreq");
  EXPECT_EQ(reading.text("", "cpu.energy-preferences"), "<absent missing>");
}

TEST(Cpu, GovernorsOfATreeThatHasKeptOnlyTheCpusFolders) {
  TemporaryFolder tree;
  tree.write("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
  tree.write("/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
  EXPECT_EQ(read_tree("cpu", tree.string()).text("", "cpu.governors"), "performance, powersave");
}

TEST(Cpu, EachFlawByItself) {
  TemporaryFolder tree;
  const std::string folder = "/sys/devices/system/cpu/vulnerabilities/";
  tree.write(folder + "mmio_stale_data", "Vulnerable: Clear CPU buffers attempted, no microcode\n");
  tree.write(folder + "srbds", "Unknown: Dependent on hypervisor status\n");
  const Reading reading = read_tree("cpu", tree.string());
  EXPECT_EQ(reading.text("", "cpu.vulnerabilities"), "mmio_stale_data, srbds");
  EXPECT_EQ(reading.text("vulnerability/mmio_stale_data", "vulnerability.state"),
            "Vulnerable: Clear CPU buffers attempted, no microcode");
  EXPECT_EQ(reading.text("", "cpu.threads"), "<absent unsupported>") << "the tree has no /proc";
}

TEST(Cpu, RefusesWhatIsNoCpuinfo) {
  const std::string info = x86_info();
  EXPECT_FALSE(parse_cpuinfo(""));
  EXPECT_FALSE(parse_cpuinfo("open /proc/cpuinfo: error 13\n"));
  EXPECT_FALSE(parse_cpuinfo("processor\t: zero\n\n"));
  EXPECT_FALSE(parse_cpuinfo(std::string_view(info).substr(0, info.size() - 12)));
  EXPECT_TRUE(parse_cpuinfo(x86_cpu(0, 0, 0, "fpu hypervisor lahf_lm"))->guest.value());
}

TEST(Cpu, CountsLists) {
  EXPECT_EQ(count_in_list("0-3,8\n").value(), 5);
  EXPECT_EQ(count_in_list("\n").value(), 0);
  for (const char* text : {"3-1", "0-", "a", "0,,1", "-1", "0-99999999999999999999", "0-2000000"})
    EXPECT_FALSE(count_in_list(text)) << text;
}

// prometheus/procfs keeps its fixtures in one text: "Path: NAME", "Lines: 1", then the line.
TEST(Cpu, ReadsTheSampleOfFlaws) {
  if (samples().empty()) GTEST_SKIP() << "no samples";
  const std::string archive = read_file(samples() / "nodes/sysfs-proc/procfs-fixtures-subset.ttar");
  const std::string prefix = "Path: fixtures/sys/devices/system/cpu/vulnerabilities/";
  TemporaryFolder tree;
  const auto lines = text::lines(archive);
  for (std::size_t i = 0; i + 2 < lines.size(); ++i)
    if (lines[i].starts_with(prefix))
      tree.write("/sys/devices/system/cpu/vulnerabilities/" + std::string(lines[i].substr(prefix.size())),
                 std::string(lines[i + 2]) + "\n");
  const Reading reading = read_tree("cpu", tree.string());
  const auto state = [&](const std::string& name) {
    return reading.text("vulnerability/" + name, "vulnerability.state");
  };
  EXPECT_EQ(reading.text("", "cpu.vulnerabilities"),
            "itlb_multihit, mds, mmio_stale_data, retbleed, spec_store_bypass, spectre_v1, spectre_v2, srbds, "
            "tsx_async_abort");
  EXPECT_EQ(state("itlb_multihit"), "KVM: Mitigation: VMX unsupported");
  EXPECT_EQ(state("mds"), "Vulnerable");
  EXPECT_THAT(state("spectre_v2"), HasSubstr("STIBP: always-on"));
  EXPECT_EQ(state("tsx_async_abort"), "Not affected");
}

TEST(Cpu, ThisMachineHasAtLeastOneThread) {
  const Reading reading = read_live("cpu");
  EXPECT_NE(reading.find("", "cpu.threads")->value(), nullptr);
}

}  // namespace
}  // namespace assay::testing
