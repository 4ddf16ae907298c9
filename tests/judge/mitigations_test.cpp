#include <gmock/gmock.h>

#include "judging.hpp"

namespace assay::testing {
namespace {

constexpr auto kCheck = "security.cpu-mitigations";
using Flaws = std::map<std::string, Value>;

std::vector<Observation> host(const Flaws& flaws) {
  std::vector<Observation> all;
  TextList names;
  for (const auto& [name, state] : flaws) {
    names.push_back(name);
    all.push_back(seen("cluster/c/node/n1/vulnerability/" + name, "vulnerability.state", state));
  }
  all.push_back(seen("cluster/c/node/n1", "cpu.vulnerabilities", names));
  return all;
}

std::string judged_flaws(const Flaws& flaws) { return status_of(kCheck, host(flaws), "node/n1"); }

TEST(CpuMitigations, Sound) {
  EXPECT_EQ(judged_flaws({{"l1tf", "Not affected"},
                          {"spectre_v1", "Mitigation: usercopy/swapgs barriers and __user pointer sanitization"},
                          {"spectre_v2",
                           "Mitigation: Enhanced / Automatic IBRS; IBPB: conditional; STIBP: disabled; "
                           "RSB filling; PBRSB-eIBRS: Not affected; BHI: BHI_DIS_S"}}),
            "pass");
}

TEST(CpuMitigations, SoundThoughTheyLookOtherwise) {
  EXPECT_EQ(judged_flaws({{"mds", "Mitigation: Clear CPU buffers; SMT vulnerable"}}), "pass");
  EXPECT_EQ(judged_flaws({{"l1tf", "Mitigation: PTE Inversion; VMX: conditional cache flushes, SMT vulnerable"}}),
            "pass");
  EXPECT_EQ(judged_flaws({{"itlb_multihit", "Processor vulnerable"}}), "pass");
  EXPECT_EQ(judged_flaws({{"itlb_multihit", "KVM: Mitigation: VMX unsupported"}}), "pass");
}

TEST(CpuMitigations, Unsound) {
  for (const char* state :
       {"Vulnerable", "Vulnerable: Clear CPU buffers attempted, no microcode", "Vulnerable: Safe RET, no microcode",
        "Vulnerable: Clear CPU buffers attempted, no microcode; SMT Host state unknown", "KVM: Vulnerable",
        "Mitigation: Retpolines; STIBP: disabled; RSB filling; PBRSB-eIBRS: Not affected; BHI: Vulnerable"})
    EXPECT_EQ(judged_flaws({{"mds", "Not affected"}, {"x", state}}), "fail") << state;
}

TEST(CpuMitigations, AnOpenFlawIsToldThoughAnotherIsUnknown) {
  const auto verdicts =
      judged(kCheck, host({{"mds", "Vulnerable"}, {"srbds", "Unknown: Dependent on hypervisor status"}}));
  EXPECT_EQ(verdicts.at("node/n1").status, Status::fail);
  EXPECT_EQ(verdicts.at("node/n1").measured, "mds: Vulnerable");
}

TEST(CpuMitigations, Unreadable) {
  EXPECT_EQ(judged_flaws({{"srbds", "Unknown: Dependent on hypervisor status"}}), "unknown");
  EXPECT_EQ(status_of(kCheck, {unseen("cluster/c/node/n1", "cpu.vulnerabilities", Absence::missing)}, "node/n1"),
            "unknown");
  auto all = host({{"mds", "Not affected"}});
  all.front() = unseen("cluster/c/node/n1/vulnerability/mds", "vulnerability.state", Absence::permission);
  EXPECT_EQ(status_of(kCheck, all, "node/n1"), "unknown");
}

TEST(CpuMitigations, Malformed) {
  EXPECT_EQ(judged_flaws({{"mds", ""}}), "unknown");
  EXPECT_EQ(judged_flaws({{"mds", "not affected by anything"}}), "unknown");
  EXPECT_EQ(judged_flaws({{"mds", true}}), "unknown");
  EXPECT_EQ(judged_flaws({}), "unknown");
}

}  // namespace
}  // namespace assay::testing
