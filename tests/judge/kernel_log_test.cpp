#include <gmock/gmock.h>

#include "gpu_cases.hpp"

namespace assay::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char* kXid = "reliability.xid-none";
constexpr const char* kAer = "reliability.aer-clean";
constexpr const char* kMce = "reliability.mce-clean";

Observations logged(Observations more = {}) {
  Observations all = sound_node(1);
  all.push_back(
      seen(node_path(1), "kernel-log.counts", Record{{"xid", "0"}, {"sxid", "0"}, {"aer", "0"}, {"mce", "0"}}));
  all.push_back(seen(node_path(1), "kernel-log.lines", std::int64_t{1200}));
  all.push_back(seen(node_path(1), "kernel-log.unread-lines", std::int64_t{0}));
  all.push_back(seen(node_path(1), "kernel-log.from-boot", true));
  all.push_back(seen(node_path(1), "kernel-log.reach", 864000.0));
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

Observation event(const std::string& kind, const std::string& device, const std::string& code,
                  const std::string& severity = "", const std::string& count = "1", const std::string& text = "",
                  const std::string& before = "no") {
  const Subject subject = Subject::parse(node_path(1)).value().child("kernel-event", kind + code + severity + device);
  return seen(subject.path(), "kernel-log.event",
              Record{{"kind", kind},
                     {"device", device},
                     {"code", code},
                     {"severity", severity},
                     {"count", count},
                     {"text", text},
                     {"last-text", text},
                     {"before-driver-load", before}});
}

std::string xid(const std::string& code, const std::string& text = "", const std::string& before = "no") {
  return status_of(kXid, logged({event("xid", "0000:1a:00.0", code, "", "1", text, before)}), "node/n1/gpu/0");
}

TEST(XidNone, ACleanLogPassesForEachGpu) {
  const auto verdicts = judged(kXid, logged());
  EXPECT_EQ(verdicts.at("node/n1/gpu/0").status, Status::pass);
  EXPECT_EQ(verdicts.at("node/n1/gpu/1").status, Status::pass);
  EXPECT_THAT(verdicts.at("node/n1/gpu/0").why, HasSubstr("1200 kernel messages since the boot, 10 days ago"));
}

TEST(XidNone, ByTheCataloguesClasses) {
  EXPECT_EQ(xid("79"), "fail");
  EXPECT_EQ(xid("119"), "fail");
  EXPECT_EQ(xid("48"), "fail");
  EXPECT_EQ(xid("94"), "warn");
  EXPECT_EQ(xid("171"), "warn");
  EXPECT_EQ(xid("999"), "warn");
  EXPECT_EQ(xid("8"), "warn");
  EXPECT_EQ(xid("54"), "fail");
  EXPECT_EQ(xid("43"), "pass");
  EXPECT_EQ(xid("13"), "pass");
  EXPECT_EQ(xid("63"), "pass");
}

TEST(XidNone, WorkRemovedAfterAnotherErrorFollowsThat) {
  EXPECT_EQ(xid("45"), "warn");
  const auto verdicts = judged(kXid, logged({event("xid", "0000:1a:00.0", "13"), event("xid", "0000:1a:00.0", "45")}));
  EXPECT_EQ(verdicts.at("node/n1/gpu/0").status, Status::pass);
}

TEST(XidNone, TheLastRecoveryActionCounts) {
  EXPECT_EQ(xid("154",
                "NVRM: Xid (PCI:0000:1a:00): 154, GPU recovery action changed from 0x0 (None) to 0x4 (Drain "
                "and Reset)"),
            "fail");
  EXPECT_EQ(xid("154",
                "NVRM: Xid (PCI:0000:1a:00): 154, GPU recovery action changed from 0x1 (GPU Reset Required) to "
                "0x0 (None)"),
            "pass");
  EXPECT_EQ(xid("154", "NVRM: Xid (PCI:0000:1a:00): 154, cut"), "warn");
}

TEST(XidNone, BeforeTheDriverWasLoadedAnew) { EXPECT_EQ(xid("95", "", "yes"), "warn"); }

TEST(XidNone, TheWorstOfSeveralIsSaidAndTheOthersKeptInSight) {
  const auto verdicts = judged(kXid, logged({event("xid", "0000:1a:00.0", "43"), event("xid", "0000:1a:00.0", "79")}));
  const Verdict& verdict = verdicts.at("node/n1/gpu/0");
  EXPECT_EQ(verdict.status, Status::fail);
  EXPECT_THAT(verdict.measured, HasSubstr("XID 43"));
  EXPECT_THAT(verdict.why, HasSubstr("fallen off the bus"));
}

TEST(XidNone, AGpuThatIsGoneIsNamedByItsAddress) {
  const auto verdicts = judged(kXid, logged({event("xid", "0000:9b:00.0", "79")}));
  EXPECT_EQ(verdicts.at("node/n1/pci/0000:9b:00.0").status, Status::fail);
  EXPECT_EQ(verdicts.at("node/n1/gpu/0").status, Status::pass);
}

TEST(XidNone, SwitchErrors) {
  EXPECT_EQ(status_of(kXid, logged({event("sxid", "0000:08:00.0", "20034", "fatal")}), "node/n1/pci/0000:08:00.0"),
            "fail");
  EXPECT_EQ(status_of(kXid, logged({event("sxid", "0000:08:00.0", "22013", "non-fatal")}), "node/n1/pci/0000:08:00.0"),
            "pass");
}

TEST(XidNone, ASwitchErrorThatAsksForMoreThanItsSeverity) {
  EXPECT_EQ(status_of(kXid, logged({event("sxid", "0000:08:00.0", "20012", "non-fatal")}), "node/n1/pci/0000:08:00.0"),
            "warn");
}

TEST(XidNone, ALogThatCannotBeReadProvesNothing) {
  for (const char* check : {kXid, kAer, kMce}) {
    auto hidden = with(sound_node(1), unseen(node_path(1), "kernel-log.counts", Absence::permission));
    EXPECT_EQ(status_of(check, hidden, "node/n1"), "unknown") << check;
    EXPECT_EQ(status_of(check, sound_node(1), "node/n1"), "unknown") << check;
    EXPECT_EQ(status_of(check, with(sound_node(1), seen(node_path(1), "kernel-log.counts", "none")), "node/n1"),
              "unknown")
        << check;
  }
}

// A log that counted more than it tells.
Observations counted(const std::string& kind, const std::string& count, const Observations& events) {
  Record counts{{"xid", "0"}, {"sxid", "0"}, {"aer", "0"}, {"mce", "0"}};
  counts[kind] = count;
  return with(logged(events), seen(node_path(1), "kernel-log.counts", counts));
}

TEST(KernelLog, WhatWasCountedAndNotToldMayBeTheWorst) {
  const auto harmless = event("xid", "0000:1a:00.0", "43", "", "300");
  for (const char* kind : {"xid", "sxid"}) {
    const auto verdicts = judged(kXid, counted(kind, "301", {harmless}));
    EXPECT_EQ(verdicts.at("node/n1").status, Status::unknown) << kind;
    EXPECT_EQ(verdicts.at("node/n1/gpu/0").status, Status::unknown) << kind;
    EXPECT_FALSE(verdicts.contains("node/n1/gpu/1")) << kind;
  }
  EXPECT_EQ(status_of(kXid, counted("xid", "300", {harmless}), "node/n1/gpu/0"), "pass");
  EXPECT_EQ(status_of(kXid, counted("xid", "5", {event("xid", "0000:1a:00.0", "79")}), "node/n1/gpu/0"), "fail");
  EXPECT_EQ(status_of(kAer, counted("aer", "1", {}), "node/n1"), "unknown");
  EXPECT_EQ(
      status_of(kAer, counted("aer", "2", {event("aer", "0000:1a:00.0", "", "corrected")}), "node/n1/pci/0000:1a:00.0"),
      "unknown");
  EXPECT_EQ(status_of(kMce, counted("mce", "1", {}), "node/n1"), "unknown");
  EXPECT_EQ(status_of(kMce, counted("mce", "200", {event("mce", "bank4", "", "corrected", "150")}), "node/n1"), "warn");
  EXPECT_EQ(status_of(kMce, counted("mce", "2", {event("mce", "bank4", "", "uncorrected")}), "node/n1"), "fail");
}

TEST(KernelLog, AKindThatWasNotCountedIsUnknown) {
  for (const auto& [check, kind] : {std::pair{kXid, "xid"}, {kXid, "sxid"}, {kAer, "aer"}, {kMce, "mce"}})
    EXPECT_EQ(status_of(check, counted(kind, "many", {}), "node/n1"), "unknown") << kind;
}

TEST(KernelLog, ASeverityThatIsNotKnownIsNoHarmlessOne) {
  for (const char* severity : {"", "unknown", "Non-fatal?"}) {
    EXPECT_EQ(status_of(kXid, logged({event("sxid", "0000:08:00.0", "22013", severity)}), "node/n1/pci/0000:08:00.0"),
              "unknown");
    EXPECT_EQ(status_of(kAer, logged({event("aer", "0000:08:00.0", "", severity)}), "node/n1/pci/0000:08:00.0"),
              "unknown");
  }
  EXPECT_EQ(status_of(kMce, logged({event("mce", "bank4", "", "odd")}), "node/n1"), "unknown");
}

// A log with the boot rotated away or overwritten.
Observations since(double seconds, Observations events = {}) {
  auto all = with(logged(std::move(events)), seen(node_path(1), "kernel-log.from-boot", false));
  all = with(all, seen(node_path(1), "kernel-log.first", "Dec  1 05:48:00"));
  return with(all, seen(node_path(1), "kernel-log.reach", seconds));
}

TEST(KernelLog, OneThatCoversMinutesProvesNothing) {
  for (const auto& [check, subject] : {std::pair{kXid, "node/n1"}, {kAer, "node/n1"}, {kMce, "node/n1"}}) {
    const auto verdicts = judged(check, since(600));
    EXPECT_EQ(verdicts.at(subject).status, Status::unknown) << check;
    EXPECT_THAT(verdicts.at(subject).why, HasSubstr("covers only 10 minutes")) << check;
  }
  EXPECT_EQ(status_of(kXid, since(600, {event("xid", "0000:1a:00.0", "43")}), "node/n1/gpu/0"), "unknown");
  EXPECT_EQ(status_of(kXid, since(600, {event("xid", "0000:1a:00.0", "79")}), "node/n1/gpu/0"), "fail");
  EXPECT_EQ(status_of(kMce, since(600, {event("mce", "bank4", "", "uncorrected")}), "node/n1"), "fail");
  EXPECT_EQ(status_of(kAer, since(600, {event("aer", "0000:1a:00.0", "", "fatal")}), "node/n1/pci/0000:1a:00.0"),
            "fail");
}

TEST(KernelLog, ARingThatWrappedOnANodeLongUpSaysSinceWhen) {
  const auto verdicts = judged(kXid, since(12 * 86400));
  EXPECT_EQ(verdicts.at("node/n1/gpu/0").status, Status::pass);
  EXPECT_THAT(verdicts.at("node/n1/gpu/0").why, HasSubstr("of the last 12 days (since Dec  1 05:48:00); older"));
  EXPECT_EQ(status_of(kAer, since(86400), "node/n1"), "pass");
}

TEST(KernelLog, HowFarItReachesMustBeKnown) {
  auto untimed = with(since(0), unseen(node_path(1), "kernel-log.reach", Absence::malformed));
  EXPECT_EQ(status_of(kXid, untimed, "node/n1"), "unknown");
  EXPECT_EQ(status_of(kXid, with(untimed, seen(node_path(1), "kernel-log.reach", "long")), "node/n1"), "unknown");
  // The boot itself needs no time.
  EXPECT_EQ(status_of(kXid, with(untimed, seen(node_path(1), "kernel-log.from-boot", true)), "node/n1/gpu/0"), "pass");
}

TEST(KernelLog, OneThatWasMostlyNotReadProvesNothing) {
  const auto read = [](std::int64_t unread, Observations events = {}) {
    return with(logged(std::move(events)), seen(node_path(1), "kernel-log.unread-lines", unread));
  };
  for (const char* check : {kXid, kAer, kMce}) {
    EXPECT_EQ(status_of(check, read(1201), "node/n1"), "unknown") << check;
    EXPECT_EQ(status_of(check, with(logged(), seen(node_path(1), "kernel-log.unread-lines", "few")), "node/n1"),
              "unknown")
        << check;
  }
  EXPECT_EQ(status_of(kXid, read(1201, {event("xid", "0000:1a:00.0", "79")}), "node/n1/gpu/0"), "fail");
  const auto verdicts = judged(kAer, read(3));
  EXPECT_EQ(verdicts.at("node/n1").status, Status::pass);
  EXPECT_THAT(verdicts.at("node/n1").why, HasSubstr("beside 3 lines in no known form"));
}

TEST(XidNone, WithoutGpusNotApplicable) { EXPECT_EQ(status_of(kXid, bare_node(1), "node/n1"), "not_applicable"); }

TEST(AerClean, BySeverityAndNumber) {
  EXPECT_EQ(status_of(kAer, logged(), "node/n1"), "pass");
  const auto status = [](const char* severity, const char* count) {
    return status_of(kAer, logged({event("aer", "0000:1a:00.0", "", severity, count)}), "node/n1/pci/0000:1a:00.0");
  };
  EXPECT_EQ(status("fatal", "1"), "fail");
  EXPECT_EQ(status("non-fatal", "1"), "fail");
  EXPECT_EQ(status("uncorrected", "1"), "fail");
  EXPECT_EQ(status("corrected", "1"), "pass");
  EXPECT_EQ(status("corrected", "100"), "warn");
}

TEST(MceClean, BySeverityAndNumber) {
  EXPECT_EQ(status_of(kMce, logged(), "node/n1"), "pass");
  const auto status = [](Observations events) { return status_of(kMce, logged(std::move(events)), "node/n1"); };
  EXPECT_EQ(status({event("mce", "bank4", "", "uncorrected")}), "fail");
  EXPECT_EQ(status({event("mce", "bank4", "", "corrected", "3")}), "pass");
  EXPECT_EQ(status({event("mce", "bank4", "", "corrected", "5000")}), "warn");
  EXPECT_EQ(status({event("mce", "firmware-record", "", "informational", "5000")}), "pass");
  EXPECT_EQ(status({event("mce", "firmware-record", "", "unstated")}), "unknown");
  EXPECT_EQ(status({event("mce", "logged", "", "unknown")}), "warn");
  EXPECT_EQ(status({event("mce", "logged", "", "unknown"), event("mce", "bank4", "", "corrected")}), "pass");
}

TEST(XidNone, TheLastGpuThatFellOffTheBusHidesNoProof) {
  const auto gone = [](Observations more) {
    Observations all = bare_node(1);
    for (const Observation& each : logged()) {
      if (each.name.starts_with("kernel-log.")) all.push_back(each);
    }
    for (const Observation& each : more) all = with(all, each);
    return all;
  };
  const auto counted = [](const char* xids) {
    return seen(node_path(1), "kernel-log.counts", Record{{"xid", xids}, {"sxid", "0"}, {"aer", "0"}, {"mce", "0"}});
  };
  EXPECT_EQ(status_of(kXid, gone({}), "node/n1"), "not_applicable");
  const auto lost = gone({counted("1"), event("xid", "0000:1a:00.0", "79")});
  EXPECT_EQ(status_of(kXid, lost, "node/n1/pci/0000:1a:00.0"), "fail");
  EXPECT_EQ(status_of(kXid, gone({counted("1")}), "node/n1"), "unknown") << "counted and not told";
  EXPECT_EQ(status_of(kXid, gone({unseen(node_path(1), "kernel-log.counts", Absence::permission)}), "node/n1"),
            "not_applicable");
}

TEST(KernelLog, AWarningStandsBesideAGap) {
  const auto cut = [](const Observation& event) {
    return with(with(logged({event}), seen(node_path(1), "kernel-log.from-boot", false)),
                seen(node_path(1), "kernel-log.reach", 600.0));
  };
  EXPECT_EQ(status_of(kXid, cut(event("xid", "0000:1a:00.0", "94")), "node/n1/gpu/0"), "warn");
  EXPECT_EQ(status_of(kXid, cut(event("xid", "0000:1a:00.0", "43")), "node/n1/gpu/0"), "unknown");
  EXPECT_EQ(status_of(kXid, cut(event("xid", "0000:1a:00.0", "45")), "node/n1/gpu/0"), "unknown")
      << "what it follows may be older than the log";
  EXPECT_EQ(status_of(kAer, cut(event("aer", "0000:1a:00.0", "", "corrected", "500")), "node/n1/pci/0000:1a:00.0"),
            "warn");
  EXPECT_EQ(status_of(kMce, cut(event("mce", "CPU 0", "", "corrected", "500")), "node/n1"), "warn");
}

TEST(KernelLog, EventsStandThoughTheirCountWasNotRead) {
  const auto uncounted = [](const Observation& event) {
    return with(logged({event}), seen(node_path(1), "kernel-log.counts", "many"));
  };
  EXPECT_EQ(status_of(kXid, uncounted(event("xid", "0000:1a:00.0", "79")), "node/n1/gpu/0"), "fail");
  EXPECT_EQ(status_of(kXid, uncounted(event("xid", "0000:1a:00.0", "79")), "node/n1"), "unknown");
  EXPECT_EQ(status_of(kAer, uncounted(event("aer", "0000:1a:00.0", "", "fatal")), "node/n1/pci/0000:1a:00.0"), "fail");
  EXPECT_EQ(status_of(kMce, uncounted(event("mce", "CPU 0", "", "uncorrected")), "node/n1"), "fail");
}

TEST(KernelLog, AnEventThatCanNotBeReadMayBeTheWorst) {
  for (const Observation& unread : {unseen(node_path(1) + "/kernel-event/1", "kernel-log.event", Absence::malformed),
                                    seen(node_path(1) + "/kernel-event/1", "kernel-log.event", "XID 79")}) {
    for (const char* check : {kXid, kAer, kMce}) EXPECT_EQ(status_of(check, logged({unread}), "node/n1"), "unknown");
  }
}

}  // namespace
}  // namespace assay::testing
