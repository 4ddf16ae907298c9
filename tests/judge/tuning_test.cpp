// The node's settings: governor, swap, huge pages, NUMA balancing, and the kernel log for users.
#include <gtest/gtest.h>

#include "judging.hpp"

namespace assay::testing {
namespace {

constexpr auto kNode = "cluster/c/node/n1";
using Values = std::vector<std::pair<std::string, Value>>;

std::string judged_node(const std::string& check, const Values& values,
                        const std::vector<std::pair<std::string, Absence>>& absent = {}) {
  std::vector<Observation> all;
  for (const auto& [name, value] : values) all.push_back(seen(kNode, name, value));
  for (const auto& [name, reason] : absent) all.push_back(unseen(kNode, name, reason));
  return status_of(check, all, "node/n1");
}

std::string governor(const TextList& governors, const std::string& driver, const TextList& preferences = {}) {
  Values values{{"cpu.governors", governors}, {"cpu.frequency-drivers", TextList{driver}}};
  if (preferences.empty())
    return judged_node("orchestration.cpu-governor", values, {{"cpu.energy-preferences", Absence::missing}});
  values.emplace_back("cpu.energy-preferences", preferences);
  return judged_node("orchestration.cpu-governor", values);
}

TEST(CpuGovernor, Sound) {
  EXPECT_EQ(governor({"performance"}, "acpi-cpufreq"), "pass");
  EXPECT_EQ(governor({"powersave"}, "intel_pstate", {"performance"}), "pass");
  EXPECT_EQ(governor({"powersave"}, "amd-pstate-epp", {"performance"}), "pass");
}

TEST(CpuGovernor, Unsound) {
  EXPECT_EQ(governor({"performance", "powersave"}, "acpi-cpufreq"), "fail");
  EXPECT_EQ(governor({"userspace"}, "acpi-cpufreq"), "fail");
  EXPECT_EQ(governor({"schedutil"}, "acpi-cpufreq"), "warn");
  EXPECT_EQ(governor({"performance", "powersave"}, "intel_pstate", {"performance"}), "warn") << "CPUs differ";
  EXPECT_EQ(governor({"powersave"}, "intel_pstate", {"balance_performance"}), "warn");
  EXPECT_EQ(governor({"powersave"}, "intel_pstate", {"performance", "power"}), "warn");
}

TEST(CpuGovernor, AGuestsClocksAreItsHosts) {
  const std::vector<std::pair<std::string, Absence>> none{{"cpu.governors", Absence::missing}};
  EXPECT_EQ(judged_node("orchestration.cpu-governor", {{"cpu.guest", true}}, none), "not_applicable");
  EXPECT_EQ(judged_node("orchestration.cpu-governor", {{"cpu.guest", false}}, none), "unknown");
  EXPECT_EQ(judged_node("orchestration.cpu-governor", {}, none), "unknown");
}

TEST(CpuGovernor, UnreadableAndMalformed) {
  EXPECT_EQ(judged_node("orchestration.cpu-governor", {{"cpu.guest", true}}, {{"cpu.governors", Absence::permission}}),
            "unknown");
  EXPECT_EQ(judged_node("orchestration.cpu-governor", {{"cpu.governors", "performance"}}), "unknown");
  EXPECT_EQ(governor({}, "acpi-cpufreq"), "fail") << "an empty list is not performance";
  const auto unread = [](const Values& values, const std::string& name, Absence reason) {
    return judged_node("orchestration.cpu-governor", values, {{name, reason}});
  };
  const Values saving{{"cpu.governors", TextList{"powersave"}}};
  EXPECT_EQ(unread(saving, "cpu.frequency-drivers", Absence::timeout), "unknown") << "the hardware may choose";
  EXPECT_EQ(unread(saving, "cpu.frequency-drivers", Absence::missing), "fail");
  EXPECT_EQ(unread({{"cpu.governors", TextList{"userspace"}}}, "cpu.frequency-drivers", Absence::timeout), "fail");
  const Values pstate{{"cpu.governors", TextList{"powersave"}}, {"cpu.frequency-drivers", TextList{"intel_pstate"}}};
  EXPECT_EQ(unread(pstate, "cpu.energy-preferences", Absence::timeout), "unknown") << "it may prefer performance";
  EXPECT_EQ(unread(pstate, "cpu.energy-preferences", Absence::missing), "warn");
}

TEST(SwapOff, Cases) {
  const auto swap = [](const Value& total) {
    return judged_node("orchestration.swap-off",
                       {{"memory.swap-total", total}, {"sysctl.vm.swappiness", std::int64_t{60}}});
  };
  EXPECT_EQ(swap(std::int64_t{0}), "pass") << "swappiness alone swaps nothing";
  EXPECT_EQ(swap(std::int64_t{8589934592}), "warn");
  EXPECT_EQ(swap("none"), "unknown");
  EXPECT_EQ(judged_node("orchestration.swap-off", {}, {{"memory.swap-total", Absence::unsupported}}), "unknown");
}

TEST(TransparentHugepages, Cases) {
  const auto thp = [](const Value& enabled, const Value& defrag) {
    return judged_node("orchestration.transparent-hugepages",
                       {{"memory.thp-enabled", enabled}, {"memory.thp-defrag", defrag}});
  };
  EXPECT_EQ(thp("madvise", "madvise"), "pass");
  EXPECT_EQ(thp("always", "madvise"), "pass");
  EXPECT_EQ(thp("madvise", "always"), "pass") << "only those that ask wait";
  EXPECT_EQ(thp("always", "always"), "warn");
  EXPECT_EQ(thp("never", "madvise"), "warn");
  EXPECT_EQ(thp("sometimes", "madvise"), "unknown");
  EXPECT_EQ(thp(true, "madvise"), "unknown");
  EXPECT_EQ(judged_node("orchestration.transparent-hugepages", {}, {{"memory.thp-enabled", Absence::missing}}),
            "unknown");
  EXPECT_EQ(judged_node("orchestration.transparent-hugepages", {{"memory.thp-enabled", "always"}},
                        {{"memory.thp-defrag", Absence::permission}}),
            "unknown");
}

TEST(NumaBalancing, Cases) {
  const auto numa = [](const Value& setting, std::int64_t nodes) {
    return judged_node("orchestration.numa-balancing",
                       {{"sysctl.kernel.numa_balancing", setting}, {"numa.nodes", nodes}});
  };
  constexpr std::int64_t kOff = 0, kOn = 1, kTiering = 2;
  EXPECT_EQ(numa(kOff, 2), "pass");
  EXPECT_EQ(numa(kOn, 2), "warn");
  EXPECT_EQ(numa(kTiering, 2), "warn");
  EXPECT_EQ(numa(kOn, 1), "pass") << "one node: nowhere to move pages";
  EXPECT_EQ(numa("on", 2), "unknown");
  EXPECT_EQ(judged_node("orchestration.numa-balancing", {{"sysctl.kernel.numa_balancing", kOn}}), "unknown")
      << "with one node there is nowhere to move pages";
  EXPECT_EQ(judged_node("orchestration.numa-balancing", {}, {{"sysctl.kernel.numa_balancing", Absence::missing}}),
            "pass");
  EXPECT_EQ(judged_node("orchestration.numa-balancing", {}, {{"sysctl.kernel.numa_balancing", Absence::unsupported}}),
            "unknown");
}

TEST(KernelLogShown, Cases) {
  const auto log = [](const Value& restricted) {
    return judged_node("monitoring.kernel-log-shown", {{"sysctl.kernel.dmesg_restrict", restricted}});
  };
  EXPECT_EQ(log(std::int64_t{0}), "pass");
  EXPECT_EQ(log(std::int64_t{1}), "warn");
  EXPECT_EQ(judged_node("monitoring.kernel-log-shown", {}, {{"sysctl.kernel.dmesg_restrict", Absence::permission}}),
            "unknown");
  EXPECT_EQ(judged_node("monitoring.kernel-log-shown", {{"os.hostname", "n1"}}), "unknown");
}

}  // namespace
}  // namespace assay::testing
