// How a node's kernel is set for long computations: clock governor, huge pages, NUMA balancing.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "judge/check.hpp"

namespace assay::judge::checks {

namespace {

bool all_are(const TextList& values, std::initializer_list<std::string_view> allowed) {
  return !values.empty() && std::all_of(values.begin(), values.end(), [&](const std::string& value) {
    return std::find(allowed.begin(), allowed.end(), value) != allowed.end();
  });
}

// Under these drivers the hardware chooses the clock, and "powersave" means that it weighs by the energy preference.
// Nothing where the drivers weren't seen.
std::optional<bool> hardware_chooses(const Reading<TextList>& drivers) {
  if (!drivers && !drivers.missing()) return std::nullopt;
  return drivers && all_are(*drivers, {"intel_pstate", "amd-pstate-epp", "amd_pstate_epp"});
}

void without_governor(const Snapshot& snapshot, const Subject& node, const Reading<TextList>& governors,
                      Judgement& judgement) {
  const auto guest = snapshot.boolean(node, "cpu.guest");
  if (governors.missing() && guest && *guest)
    return judgement.not_applicable(node,
                                    "it is a virtual machine without frequency control: its host governs the clocks",
                                    {governors.observation, guest.observation});
  judgement.unknown(node, governors);
}

void judge_governor(const Snapshot& snapshot, const Subject& node, Judgement& judgement) {
  const auto governors = snapshot.list(node, "cpu.governors");
  if (!governors) return without_governor(snapshot, node, governors, judgement);
  const auto drivers = snapshot.list(node, "cpu.frequency-drivers");
  const auto preferences = snapshot.list(node, "cpu.energy-preferences");
  const std::string measured = fmt::format("{}", fmt::join(*governors, ", "));
  const std::vector<const Observation*> basis{governors.observation, drivers.observation, preferences.observation};
  if (all_are(*governors, {"performance"}))
    return judgement.pass(node, measured, "every CPU runs at the highest clock it is allowed", basis);
  const auto chooses = hardware_chooses(drivers);
  const bool either = all_are(*governors, {"performance", "powersave"});
  if (either && !chooses)
    return judgement.unknown(node, "whether \"powersave\" holds its clocks down hangs on the driver: " + drivers.gap,
                             basis);
  const bool hardware = either && *chooses;
  if (hardware && governors.value->size() > 1)
    return judgement.warn(node, measured, "some CPUs weigh performance against power and others don't", basis);
  if (hardware && preferences && all_are(*preferences, {"performance"}))
    return judgement.pass(node, measured, "the hardware chooses the clock and is told to prefer performance", basis);
  if (hardware && !preferences && !preferences.missing())
    return judgement.unknown(node, "what the hardware that chooses the clock prefers: " + preferences.gap, basis);
  if (hardware || all_are(*governors, {"performance", "ondemand", "schedutil", "conservative"}))
    return judgement.warn(
        node, measured, "clocks rise only after load has come, which slows short host work between GPU kernels", basis);
  judgement.fail(node, measured, "some CPUs are held at a clock below what they can do", basis);
}

void cpu_governor(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& node : snapshot.nodes()) judge_governor(snapshot, node, judgement);
}

// Both always and madvise let an allocator have huge pages. What hurts is never, and that every page fault may stop to
// make one (always with defrag always).
void transparent_hugepages(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& node : snapshot.nodes()) {
    const auto enabled = snapshot.text(node, "memory.thp-enabled");
    const auto defrag = snapshot.text(node, "memory.thp-defrag");
    if (!enabled) {
      judgement.unknown(node, enabled);
    } else if (*enabled == "never") {
      judgement.warn(node, *enabled, "no program can have huge pages without reserving them", {enabled.observation});
    } else if (*enabled == "always" && defrag && *defrag == "always") {
      judgement.warn(node, "always, defrag always", "any page fault of any program may wait for memory to be compacted",
                     {enabled.observation, defrag.observation});
    } else if (*enabled == "always" && !defrag) {
      judgement.unknown(node, defrag);
    } else if (*enabled == "always" || *enabled == "madvise") {
      judgement.pass(node, *enabled, "programs get huge pages, and only those that ask wait for them",
                     {enabled.observation, defrag.observation});
    } else {
      judgement.unknown(node, fmt::format("memory.thp-enabled is \"{}\", which no known kernel says", *enabled),
                        {enabled.observation});
    }
  }
}

void numa_balancing(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& node : snapshot.nodes()) {
    const auto setting = snapshot.integer(node, "sysctl.kernel.numa_balancing");
    const auto nodes = snapshot.integer(node, "numa.nodes");
    if (setting.missing()) {
      judgement.pass(node, "not in this kernel", "this kernel can't move pages by itself", {setting.observation});
    } else if (!setting) {
      judgement.unknown(node, setting);
    } else if (*setting == 0) {
      judgement.pass(node, "0", "pages stay where they were put", {setting.observation});
    } else if (nodes && *nodes == 1) {
      judgement.pass(node, fmt::format("{}", *setting),
                     "it is on, but with one NUMA node there is nowhere to move pages",
                     {setting.observation, nodes.observation});
    } else if (!nodes) {
      judgement.unknown(node, "it is on, which matters where there are several NUMA nodes: " + nodes.gap,
                        {setting.observation, nodes.observation});
    } else {
      judgement.warn(node, fmt::format("{}", *setting),
                     "the kernel unmaps pages to see who uses them, and moves those that were placed by hand",
                     {setting.observation, nodes.observation});
    }
  }
}

}  // namespace

extern const Family tuning = {
    {"orchestration.cpu-governor", cpu_governor},
    {"orchestration.transparent-hugepages", transparent_hugepages},
    {"orchestration.numa-balancing", numa_balancing},
};

}  // namespace assay::judge::checks
