// CPU flaws, in the kernel's own words (Documentation/ABI/testing/sysfs-devices-system-cpu): "Not affected",
// "Mitigation: …" or "Vulnerable…", each with details after it.
#include <fmt/format.h>

#include "base/text.hpp"
#include "judge/check.hpp"

namespace assay::judge::checks {

namespace {

enum class Standing { closed, open, untold };

// A mitigation may leave a part open: "Mitigation: Retpolines; BHI: Vulnerable". That "SMT vulnerable" stands there as
// long as threads share cores, on sound machines too: only turning SMT off ends it, so it isn't counted as open.
bool has_open_part(std::string_view state) {
  for (const std::string_view part : text::split(state, ';'))
    if (part.find(": Vulnerable") != std::string_view::npos) return true;
  return false;
}

Standing standing_of(std::string_view state) {
  if (state.starts_with("Vulnerable")) return Standing::open;  // also "Vulnerable: … attempted, no microcode"
  if (state == "KVM: Vulnerable") return Standing::open;
  // itlb_multihit where the kernel can't run guests at all: there is nobody who could use it.
  if (state == "Processor vulnerable") return Standing::closed;
  if (text::starts_with_any(state, {"Mitigation", "KVM: Mitigation"}))
    return has_open_part(state) ? Standing::open : Standing::closed;
  return state == "Not affected" ? Standing::closed : Standing::untold;
}

struct Sorted {
  TextList open;
  TextList untold;
  std::vector<const Observation*> basis;
};

Sorted sort_flaws(const Snapshot& snapshot, const Subject& host, const TextList& names) {
  Sorted sorted;
  for (const std::string& name : names) {
    const auto state = snapshot.text(host.child("vulnerability", name), "vulnerability.state");
    if (!state) {
      sorted.untold.push_back(fmt::format("{}: {}", name, state.gap));
      continue;
    }
    const auto standing = standing_of(*state);
    if (standing == Standing::open) sorted.open.push_back(fmt::format("{}: {}", name, *state));
    if (standing == Standing::untold) sorted.untold.push_back(fmt::format("{}: {}", name, *state));
    sorted.basis.push_back(state.observation);
  }
  return sorted;
}

void judge_host(const Snapshot& snapshot, const Subject& host, Judgement& judgement) {
  const auto names = snapshot.list(host, "cpu.vulnerabilities");
  if (!names) return judgement.unknown(host, names);
  Sorted flaws = sort_flaws(snapshot, host, *names);
  flaws.basis.push_back(names.observation);
  if (!flaws.open.empty()) {
    judgement.fail(
        host, fmt::format("{}", fmt::join(flaws.open, "; ")),
        fmt::format("{} of {} CPU flaws that the kernel knows are open", flaws.open.size(), names.value->size()),
        flaws.basis);
  } else if (!flaws.untold.empty() || names.value->empty()) {
    judgement.unknown(host, fmt::format("the kernel doesn't tell: {}", fmt::join(flaws.untold, "; ")), flaws.basis);
  } else {
    judgement.pass(host, fmt::format("{} flaws, none open", names.value->size()),
                   "the kernel says of every CPU flaw it knows that it is absent or mitigated", flaws.basis);
  }
}

void cpu_mitigations(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& host : snapshot.hosts()) judge_host(snapshot, host, judgement);
}

}  // namespace

extern const Family mitigations = {{"security.cpu-mitigations", cpu_mitigations}};

}  // namespace assay::judge::checks
