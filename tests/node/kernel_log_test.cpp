#include <gmock/gmock.h>

#include "node/facts/kernel_log_events_detail.hpp"
#include "node/facts/kernel_log_times_detail.hpp"
#include "reading.hpp"

namespace assay::testing {
namespace {

using node::kernel_log::Event;
using node::kernel_log::Log;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Log parse(std::string_view text) { return node::kernel_log::parse(text); }

std::vector<Event> events_of(std::string_view text) { return node::kernel_log::events(parse(text)); }

// "kind severity device" of each event in dmesg lines given without their times.
std::vector<std::string> found_in(const std::vector<std::string>& messages) {
  std::string log;
  for (const std::string& message : messages) log += "[   12.345678] " + message + "\n";
  std::vector<std::string> found;
  for (const Event& event : events_of(log)) {
    std::string words(event.kind);
    for (const std::string* part : {&event.code, &event.severity, &event.device})
      if (!part->empty()) words += " " + *part;
    found.push_back(words);
  }
  return found;
}

TEST(KernelLogLines, EveryFormIsRead) {
  const std::pair<const char*, const char*> forms[] = {
      {"6,1234,5678901,-;hello", "5.678901 s after boot"},
      {"[  117.984502] hello", "117.984502 s after boot"},
      {"<4>[  117.984502] hello", "117.984502 s after boot"},
      {"[Sun Jan  5 20:25:34 2025] hello", "Sun Jan  5 20:25:34 2025"},
      {"kern  :warn  : [  117.984502] hello", "117.984502 s after boot"},
      {"kern  :err   : 2025-01-21T04:41:44,283302+00:00 hello", "2025-01-21T04:41:44,283302+00:00"},
      {"2024-11-15T05:39:15,491363+00:00 hello", "2024-11-15T05:39:15,491363+00:00"},
      {"2025-01-02T15:20:12+0800 node-1 kernel: hello", "2025-01-02T15:20:12+0800"},
      {"2025-01-02T15:20:12.123456+00:00 node-1 kernel: [ 1.5] hello", "2025-01-02T15:20:12.123456+00:00"},
      {"Jan  1 23:30:53 node-1 kernel: [   46.675818] hello", "Jan  1 23:30:53"},
      {"Mar 16 00:24:28 node-1 kernel: hello", "Mar 16 00:24:28"},
      // Kernels that say which thread or processor spoke.
      {"[12.3][ T1234] hello", "12.3 s after boot"},
      {"<4>[   12.3][    C0] hello", "12.3 s after boot"},
      {"[   12.345678] [ T123] hello", "12.345678 s after boot"},
      {"[   12.345678][T12345] hello", "12.345678 s after boot"},
      {"2024-11-15T05:39:15,491363+00:00 [    T1] hello", "2024-11-15T05:39:15,491363+00:00"},
      {"Mar 16 00:24:28 node-1 kernel: [   46.675818][  T99] hello", "Mar 16 00:24:28"},
      {"6,1234,5678901,-,caller=T12;hello", "5.678901 s after boot"},
      // dmesg -d, dmesg -H.
      {"[   12.345678 <    0.000012>] hello", "12.345678 s after boot"},
      {"[Sun Jan  5 20:25:34 2025 <    0.000012>] hello", "Sun Jan  5 20:25:34 2025"},
      {"[Jan 5 20:25] hello", "Jan  5 20:25"},
      {"[Dec15 20:25] hello", "Dec 15 20:25"},
      // journalctl -o short-precise, short-iso-precise, short-monotonic, short-full, short-unix, json.
      {"Mar 16 00:24:28.123456 node-1 kernel: hello", "Mar 16 00:24:28.123456"},
      {"2025-01-02T15:20:12.123456+0800 node-1 kernel: hello", "2025-01-02T15:20:12.123456+0800"},
      {"[   46.675818] node-1 kernel: hello", "46.675818 s after boot"},
      {"Thu 2025-01-02 15:20:12 CST node-1 kernel: hello", "2025-01-02 15:20:12 CST"},
      {"1735689053.123456 node-1 kernel: hello", "1735689053.123456 s after 1970"},
      {R"({"MESSAGE":"hello","_TRANSPORT":"kernel","__REALTIME_TIMESTAMP":"1735689053123456"})",
       "1735689053.123456 s after 1970"},
      {R"({"MESSAGE":[104,101,108,108,111],"_TRANSPORT":"kernel","__REALTIME_TIMESTAMP":"1735689053123456"})",
       "1735689053.123456 s after 1970"},
      // What syslog daemons make of the kernel's name.
      {"Mar 16 00:24:28 node-1 kernel:[   46.675818] hello", "Mar 16 00:24:28"},
      {"Mar 16 00:24:28 node-1 kern.warn kernel: [   46.675818] hello", "Mar 16 00:24:28"},
      {"Mar 16 00:24:28 node-1 kernel[0]: hello", "Mar 16 00:24:28"},
  };
  for (const auto& [line, when] : forms) {
    const Log log = parse(line);
    ASSERT_EQ(log.lines.size(), 1u) << line;
    EXPECT_EQ(log.lines.front().when, when) << line;
    EXPECT_EQ(log.lines.front().message, "hello") << line;
    EXPECT_EQ(log.unread, 0u) << line;
  }
}

TEST(KernelLogLines, WhatUsersWroteIsNotTheKernels) {
  const Log log = parse(
      "12,7,1000,-;NVRM: Xid (PCI:0000:9b:00): 79, forged\n"
      "daemon:info  : 2025-01-17T15:37:17,811238+00:00 systemd[1]: NVRM: Xid (PCI:0000:9b:00): 79, forged\n"
      "Mar 16 00:24:34 node-1 logger[405]: NVRM: Xid (PCI:0000:9b:00): 79, forged\n"
      "<12>[   12.345678] NVRM: Xid (PCI:0000:9b:00): 79, forged\n");
  EXPECT_TRUE(log.lines.empty());
  EXPECT_EQ(log.unread, 0u);
}

TEST(KernelLogLines, ErrorsAreFoundBehindWhoSaidThem) {
  const auto found = events_of(
      "[12.3][ T1234] NVRM: Xid (PCI:0000:9b:00): 79, GPU has fallen off the bus.\n"
      "<4>[   12.4][    C0] mce: [Hardware Error]: CPU 0: Machine Check Exception: 5 Bank 4: be00000000800400\n"
      "[   12.345678] [ T123] nvidia 0000:3b:00.0: PCIe Bus Error: severity=Uncorrectable (Fatal), type=Data Link\n"
      "Mar 16 00:24:28 node-1 kernel:[   46.6][  T99] NVRM: Xid (PCI:0000:9c:00): 48, DBE\n");
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].code, "79");
  EXPECT_EQ(found[1].severity, "uncorrected");
  EXPECT_EQ(found[2].severity, "fatal");
  EXPECT_EQ(found[3].device, "0000:9c:00.0");
}

TEST(KernelLogLines, OthersInTheJournalAreNotTheKernel) {
  const Log log = parse(
      "[   46.675818] node-1 logger[12]: NVRM: Xid (PCI:0000:9b:00): 79, forged\n"
      "Mar 16 00:24:28 node-1 user.notice kernel: NVRM: Xid (PCI:0000:9b:00): 79, forged\n"
      "Thu 2025-01-02 15:20:12 CST node-1 logger[12]: NVRM: Xid (PCI:0000:9b:00): 79, forged\n"
      R"({"MESSAGE":"NVRM: Xid (PCI:0000:9b:00): 79, forged","_TRANSPORT":"syslog","__REALTIME_TIMESTAMP":"17"})"
      "\n");
  EXPECT_TRUE(log.lines.empty());
  EXPECT_EQ(log.unread, 0u);
}

TEST(KernelLogLines, ATimeThatIsToldFromTheLineBefore) {
  const Log log = parse("[Jan 5 20:25] one\n[  +0.000012] two\n[ +62.100000] NVRM: Xid (PCI:0000:9b:00): 79, gone\n");
  ASSERT_EQ(log.lines.size(), 3u);
  EXPECT_EQ(log.lines[2].when, "Jan  5 20:25");
  EXPECT_EQ(log.lines[2].message, "NVRM: Xid (PCI:0000:9b:00): 79, gone");
}

TEST(KernelLogLines, BrokenJournalEntriesAreUnread) {
  const Log log = parse(
      "{\n{}\n{\"MESSAGE\":\"x\",\"_TRANSPORT\":\"kernel\"}\n"
      "{\"MESSAGE\":[1,900],\"_TRANSPORT\":\"kernel\",\"__REALTIME_TIMESTAMP\":\"5\"}\n"
      "{\"MESSAGE\":null,\"_TRANSPORT\":\"kernel\",\"__REALTIME_TIMESTAMP\":\"soon\"}\n");
  EXPECT_TRUE(log.lines.empty());
  EXPECT_EQ(log.unread, 5u);
}

TEST(KernelLogTimes, HowFarALogReachesBack) {
  const node::kernel_log::Now saved{};
  const node::kernel_log::Now live{1000.0, 1735833612};  // 2025-01-02 16:00:12 UTC
  EXPECT_EQ(node::kernel_log::reach("10.5 s after boot", "20.5 s after boot", saved), 10.0);
  EXPECT_EQ(node::kernel_log::reach("10 s after boot", "20 s after boot", live), 990.0);
  EXPECT_EQ(node::kernel_log::reach("2025-01-02T15:00:12+00:00", "2025-01-02T15:30:12+00:00", live), 3600.0);
  EXPECT_EQ(node::kernel_log::reach("2025-01-02T15:00:12+0800", "2025-01-02T07:30:12Z", saved), 1800.0);
  EXPECT_EQ(node::kernel_log::reach("1735833000.5 s after 1970", "1735833600.5 s after 1970", live), 612 - 0.5);
  EXPECT_EQ(node::kernel_log::reach("Dec 31 23:59:00", "Jan  1 00:01:00.5", saved), 120.0);
  EXPECT_EQ(node::kernel_log::reach("Sun Jan  5 20:25:34 2025", "Mon Jan  6 20:25:34 2025", saved), 86400.0);
  EXPECT_EQ(node::kernel_log::reach("Jan  5 20:25", "Jan  5 20:30", saved), 300.0);
  EXPECT_EQ(node::kernel_log::reach("", "Jan  5 20:30", saved), std::nullopt);
  EXPECT_EQ(node::kernel_log::reach("12.0 s after boot", "Jan  5 20:30:00", saved), std::nullopt);
  EXPECT_EQ(node::kernel_log::reach("12.0 s after boot", "10.0 s after boot", saved), std::nullopt);
}

TEST(KernelLogTimes, AFileThatNobodyWritesAnyMore) {
  const node::kernel_log::Now live{86400.0, 1735833612};
  EXPECT_TRUE(node::kernel_log::before_boot("2025-01-01T01:00:12+00:00", live));
  EXPECT_FALSE(node::kernel_log::before_boot("2025-01-01T17:00:12+00:00", live));
  EXPECT_FALSE(node::kernel_log::before_boot("5.0 s after boot", live));
  EXPECT_FALSE(node::kernel_log::before_boot("2020-01-01T01:00:12+00:00", {}));
}

TEST(KernelLogLines, PropertiesBelongToARecordAndEscapesAreUndone) {
  const Log log = parse("4,1,5,-;caf\\xc3\\xa9 \\x5c\n SUBSYSTEM=pci\n DEVICE=+pci:0000:9b:00.0\n");
  ASSERT_EQ(log.lines.size(), 1u);
  EXPECT_EQ(log.lines.front().message, "café \\");
  EXPECT_EQ(log.unread, 0u);
}

// dmesg --color=always and SYSTEMD_COLORS=1 paint times and messages; /dev/kmsg escapes what a program painted.
TEST(KernelLogLines, ColorsHideNothing) {
  for (const char* line : {"[   10.0] \x1b[31mNVRM: Xid (PCI:0000:19:00): 79, pid=1\x1b[0m\n",
                           "\x1b[32m[   10.000000] \x1b[0mNVRM: Xid (PCI:0000:19:00): 79, pid=1\n",
                           "6,1,10000000,-;\\x1b[1;31mNVRM: Xid (PCI:0000:19:00): 79, pid=1\n"}) {
    const auto found = events_of(line);
    ASSERT_EQ(found.size(), 1u) << line;
    EXPECT_EQ(found[0].code, "79");
  }
}

TEST(KernelLogLines, AnXidIsNotLostWithAnUnknownForm) {
  for (const char* line : {"NVRM: Xid (PCI:0000:19:00): 79, pid=1\n", "@@ 12 @@ NVRM: Xid (PCI:0000:19:00): 79, off\n"})
    EXPECT_EQ(events_of(line).size(), 1u) << line;
}

TEST(KernelLogLines, OnlyAKernelThatStartsIsABoot) {
  const std::string xid = "[   10.000000] NVRM: Xid (PCI:0000:19:00): 79, off\n";
  EXPECT_EQ(events_of(xid + "[   11.000000] Linux version is what somebody wrote\n").size(), 1u);
  EXPECT_EQ(events_of(xid + "[   11.000000] Linux version 6.1.0 is what somebody wrote\n").size(), 1u);
  EXPECT_TRUE(events_of(xid + "[    0.000000] Linux version 6.1.0-18-amd64 (x) #1 SMP\n").empty());
}

TEST(KernelLogLines, UnknownFormsAreCounted) {
  const Log log = parse(" 4428.423595] bond0: link status\nPanic#1 Part2\n[ERROR] [tid 12] no\n,,,;\n");
  EXPECT_TRUE(log.lines.empty());
  EXPECT_EQ(log.unread, 4u);
}

TEST(KernelLogLines, OnlyTheLastBootCounts) {
  const Log log = parse(
      "Mar 16 00:24:28 n kernel: NVRM: Xid (PCI:0000:9b:00): 79, GPU has fallen off the bus.\n"
      "Mar 16 00:30:01 n kernel: Linux version 6.1.0-18-amd64 (debian)\n"
      "Mar 16 00:30:02 n kernel: sound\n");
  EXPECT_EQ(log.lines.size(), 2u);
  EXPECT_TRUE(log.from_boot);
}

TEST(KernelLogEvents, Xid) {
  const auto found = events_of(
      "[  10.0] NVRM: Xid (PCI:0000:9b:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.\n"
      "[  11.0] NVRM: Xid (0000:0F:00): 31, Ch 0000007e\n"
      "[  12.0] NVRM: Xid (PCI:0000:01:00 GPU-I:05): 13, Graphics Exception\n"
      "[  13.0] NVRM: Xid (PCI:0000:9b:00): 79, again\n"
      "[  14.0] NVRM: Xid (PCI:nonsense): 79, x\n[  15.0] NVRM: Xid (PCI:0000:9b:00): many, x\n");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].device, "0000:9b:00.0");
  EXPECT_EQ(found[0].code, "79");
  EXPECT_EQ(found[0].count, 2);
  EXPECT_EQ(found[0].first, "10.0 s after boot");
  EXPECT_EQ(found[0].last, "13.0 s after boot");
  EXPECT_EQ(found[1].device, "0000:0f:00.0");
  EXPECT_EQ(found[2].device, "0000:01:00.0");
}

TEST(KernelLogEvents, XidsAsOtherVersionsWriteThem) {
  EXPECT_THAT(found_in({"NVRM: Xid (PCI:0000:19:00):79, off", "NVRM: Xid (PCI:0000:1a:00): 0x4f, off",
                        "nvidia 0000:1b:00.0: NVRM: Xid (PCI:0000:1b:00): 79, off",
                        std::string("NVRM: Xid (PCI:0000:1c:00): 79\0, off", 37)}),
              ElementsAre("xid 79 0000:19:00.0", "xid 79 0000:1a:00.0", "xid 79 0000:1b:00.0", "xid 79 0000:1c:00.0"));
}

TEST(KernelLogEvents, AMessageThatCountsIsCountedSo) {
  const auto found = events_of("[1.0] EDAC MC0: 40 CE memory read error\n[2.0] EDAC MC0: 2 CE memory read error\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].count, 42);
}

TEST(KernelLogEvents, WhatCameBeforeTheDriverWasLoadedAnewIsMarked) {
  const auto found = events_of(
      "[  10.0] NVRM: Xid (PCI:0000:9b:00): 95, Uncontained\n"
      "[  20.0] NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64  570.86.15\n"
      "[  30.0] NVRM: Xid (PCI:0000:3b:00): 95, Uncontained\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(found[0].before_driver_load);
  EXPECT_FALSE(found[1].before_driver_load);
}

TEST(KernelLogEvents, SxidIsOneEventInThreeLines) {
  EXPECT_THAT(found_in({"nvidia-nvswitch3: SXid (PCI:0000:08:00.0): 20034, Fatal, Link 30 LTSSM Fault Up",
                        "nvidia-nvswitch3: SXid (PCI:0000:08:00.0): 20034, Severity 1 Engine instance 30",
                        "nvidia-nvswitch3: SXid (PCI:0000:08:00.0): 20034, Data {0x50610002}"}),
              ElementsAre("sxid 20034 fatal 0000:08:00.0"));
}

TEST(KernelLogEvents, AerBySeverity) {
  EXPECT_THAT(found_in({"pcieport 0000:00:1d.0: AER: Corrected error received: 0000:02:00.0",
                        "nvme 0000:02:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)",
                        "nvme 0000:02:00.0:    [ 0] RxErr",
                        "nvidia 0000:9b:00.0: PCIe Bus Error: severity=Uncorrected (Non-Fatal), type=Transaction Layer",
                        "nvidia 0000:3b:00.0: PCIe Bus Error: severity=Uncorrectable (Fatal), type=Data Link Layer",
                        "mlx5_core 0000:5e:00.0: PCIe Bus Error: severity=Correctable, type=Data Link Layer"}),
              ElementsAre("aer corrected 0000:02:00.0", "aer non-fatal 0000:9b:00.0", "aer fatal 0000:3b:00.0",
                          "aer corrected 0000:5e:00.0"));
  // The kernel's rate limit may leave the announcement alone.
  EXPECT_THAT(found_in({"pcieport 0000:00:1d.0: AER: Multiple Uncorrectable (Fatal) error message received from "
                        "0000:02:00.0"}),
              ElementsAre("aer fatal 0000:02:00.0"));
  EXPECT_THAT(found_in({"pcieport 0000:00:1d.0: AER: enabled with IRQ 124"}), IsEmpty());
  // Other words than the kernel's known ones are no milder for that.
  EXPECT_THAT(found_in({"nvme 0000:02:00.0: PCIe Bus Error: severity=Deferred, type=Physical Layer",
                        "nvme 0000:03:00.0: PCIe Bus Error: severity=Uncorrected, type=Physical Layer",
                        "pcieport 0000:00:1d.0: AER: Deferred error received: 0000:04:00.0"}),
              ElementsAre("aer unknown 0000:02:00.0", "aer uncorrected 0000:03:00.0", "aer unknown 0000:04:00.0"));
}

TEST(KernelLogEvents, MachineChecksBySeverity) {
  EXPECT_THAT(
      found_in({"mce: [Hardware Error]: CPU 2: Machine Check: 0 Bank 8: 9c00004000010091",
                "mce: [Hardware Error]: CPU 0: Machine Check Exception: 5 Bank 4: be00000000800400",
                "EDAC MC0: 1 CE memory read error on CPU_SrcID#0_MC#0_Chan#1_DIMM#0 (channel:1 slot:0)",
                "EDAC MC2: 1 UE memory read error on unknown memory",
                "mce: [Hardware Error]: Machine check events logged", "{1}[Hardware Error]: event severity: corrected",
                "Memory failure: 0x12345: recovery action for dirty LRU page: Recovered"}),
      ElementsAre("mce corrected bank8", "mce uncorrected bank4", "mce corrected mc0", "mce uncorrected mc2",
                  "mce unknown logged", "mce corrected firmware-record", "mce uncorrected memory"));
  EXPECT_THAT(found_in({"EDAC MC0: Giving out device to module i10nm_edac controller Intel_10nm Socket#0 IMC#0: DEV "
                        "0000:7e:0c.0 (INTERRUPT)",
                        "MCE: In-kernel MCE decoding enabled.", "mce: CPU0: Thermal monitoring enabled (TM1)",
                        "amdgpu 0000:9d:00.0: {1}[Hardware Error]: Accelerator Check Architecture events logged"}),
              IsEmpty());
}

TEST(KernelLogEvents, SeveritiesOfTheFirmware) {
  EXPECT_THAT(
      found_in({"{1}[Hardware Error]: event severity: corrected", "{2}[Hardware Error]: event severity: info",
                "{3}[Hardware Error]: event severity: recoverable", "{4}[Hardware Error]: event severity: odd"}),
      ElementsAre("mce corrected firmware-record", "mce informational firmware-record",
                  "mce uncorrected firmware-record", "mce unstated firmware-record"));
  EXPECT_THAT(found_in({"{3}[Hardware Error]: event severity: fatal"}), ElementsAre("mce uncorrected firmware-record"));
}

TEST(KernelLogEvents, OutOfMemoryAndStuck) {
  EXPECT_THAT(found_in({"Out of memory: Killed process 456 (python) total-vm:1kB",
                        "Memory cgroup out of memory: Killed process 457 (python) total-vm:1kB",
                        "oom_reaper: reaped process 456 (python)", "oom-kill:constraint=CONSTRAINT_MEMCG",
                        "INFO: task jfsmount:136986 blocked for more than 120 seconds.",
                        "watchdog: BUG: soft lockup - CPU#18 stuck for 27s! [python3:2254956]",
                        "NMI watchdog: Watchdog detected hard LOCKUP on cpu 3"}),
              ElementsAre("oom host", "oom cgroup", "hung-task", "soft-lockup cpu18", "hard-lockup cpu3"));
}

// An error is announced as new, and then told again in total.
TEST(KernelLogEvents, AmdGpus) {
  EXPECT_THAT(
      found_in({"amdgpu 0000:9d:00.0: {1}socket: 6, die: 1, 1533 new correctable hardware errors detected in "
                "xgmi_wafl block",
                "amdgpu 0000:9d:00.0: {1}socket: 6, die: 1, 1533 correctable hardware errors detected in total "
                "in xgmi_wafl block",
                "amdgpu 0000:dd:00.0: amdgpu: GPU reset begin!",
                "amdgpu 0000:09:00.0: amdgpu: ring gfx timeout, signaled seq=1705630, emitted seq=1705633"}),
      ElementsAre("amdgpu-ras corrected 0000:9d:00.0", "amdgpu-reset 0000:dd:00.0", "amdgpu-timeout 0000:09:00.0"));
}

TEST(KernelLogEvents, DisksAndFileSystems) {
  EXPECT_THAT(found_in({"nvme nvme4: I/O tag 22 (2016) opcode 0x2 (Admin Cmd) QID 0 timeout, reset controller",
                        "nvme nvme0: Removing after probe failure status: -19",
                        "blk_update_request: I/O error, dev nvme2n1, sector 264192 op 0x1:(WRITE) flags 0x1000",
                        "EXT4-fs (md0): Remounting filesystem read-only", "XFS (md127): log I/O error -5",
                        "nvme nvme0: pci function 0000:01:00.0", "nvme nvme0: Shutdown timeout set to 10 seconds"}),
              ElementsAre("nvme-reset nvme4", "nvme-removed nvme0", "block-error nvme2n1", "filesystem-error md0",
                          "filesystem-error md127"));
  EXPECT_THAT(found_in({"nvme nvme0: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0x10"}),
              ElementsAre("nvme-reset nvme0"));
}

TEST(KernelLogEvents, AdaptersAndTheKernelItself) {
  EXPECT_THAT(
      found_in({"mlx5_core 0000:0d:00.0: poll_health:801:(pid 0): device's health compromised - reached miss count",
                "mlx5_core 0000:56:00.0: wait_func:1189:(pid 72061): ACCESS_REG(0x805) timeout. Will cause a leak of a "
                "command resource",
                "LustreError: 11-0: fs-OST0002-osc-xxxx: operation ost_read to node 10.0.0.1@tcp failed: rc = -19",
                "BUG: kernel NULL pointer dereference, address: 0000000000000018",
                "Kernel panic - not syncing: hung_task: blocked tasks"}),
      ElementsAre("mlx5-health 0000:0d:00.0", "mlx5-command-timeout 0000:56:00.0", "lustre-error", "oops", "panic"));
}

TEST(KernelLogEvents, ALinkThatWasNeverUpDidNotFlap) {
  EXPECT_THAT(found_in({"mlx5_core 0000:9d:00.1 enp157s0f1np1: Link down", "mlx5_core 0000:1b:00.0 bootnet: Link up",
                        "ata6: SATA link down (SStatus 4 SControl 300)",
                        "tg3 0000:02:00.0 eno1: Link is up at 1000 Mbps, full duplex"}),
              IsEmpty());
  EXPECT_THAT(found_in({"mlx5_core 0000:1b:00.0 bootnet: Link up", "mlx5_core 0000:1b:00.0 bootnet: Link down",
                        "mlx5_core 0000:1b:00.0 bootnet: Link up"}),
              ElementsAre("link-flap bootnet"));
}

TEST(KernelLogEvents, LustreEvictions) {
  EXPECT_THAT(found_in({"LustreError: 167-0: fs-MDT0000-mdc-ffff: This client was evicted by fs-MDT0000; in progress "
                        "operations using this service will fail.",
                        "Lustre: Mounted fs-client"}),
              ElementsAre("lustre-eviction"));
}

TEST(KernelLog, SaysZeroOnlyOfALogThatItRead) {
  TemporaryFolder tree;
  tree.write("/var/log/kern.log", "Mar 16 00:30:01 n1 kernel: [    0.000000] Linux version 6.1.0-18-amd64\n");
  const Reading reading = read_tree("kernel-log", tree.string());
  EXPECT_EQ(reading.text("", "kernel-log.source"), "/var/log/kern.log");
  EXPECT_EQ(reading.text("", "kernel-log.from-boot"), "true");
  EXPECT_EQ(std::get<Record>(*reading.find("", "kernel-log.counts")->value()).at("xid"), "0");
}

TEST(KernelLog, EventsAreSubjectsOfTheirOwn) {
  TemporaryFolder tree;
  tree.write("/sos_commands/kernel/dmesg",
             "[   10.000000] NVRM: Xid (PCI:0000:9b:00): 79, GPU has fallen off the bus.\n");
  const Reading reading = read_tree("kernel-log", tree.string());
  const Observation* event = reading.find("kernel-event/xid-79-0000:9b:00.0", "kernel-log.event");
  ASSERT_NE(event, nullptr);
  const Record record = std::get<Record>(*event->value());
  EXPECT_EQ(record.at("code"), "79");
  EXPECT_EQ(record.at("device"), "0000:9b:00.0");
  EXPECT_EQ(record.at("before-driver-load"), "no");
  EXPECT_EQ(reading.text("", "kernel-log.from-boot"), "false");
}

TEST(KernelLog, AFloodOfOneKindPushesOutNoOther) {
  TemporaryFolder tree;
  std::string log;
  for (int disk = 0; disk < 400; ++disk)
    log += "[   10.000000] I/O error, dev sd" + std::to_string(disk) + ", sector 8\n";
  for (int bus = 1; bus < 200; ++bus)
    log += "[   11.000000] NVRM: Xid (PCI:" + std::to_string(1000 + bus) + ":01:00): 43, pid=1\n";
  log += "[   12.000000] NVRM: Xid (PCI:0000:9b:00): 79, GPU has fallen off the bus.\n";
  tree.write("/sos_commands/kernel/dmesg", log);
  const Reading reading = read_tree("kernel-log", tree.string());
  EXPECT_NE(reading.find("kernel-event/xid-79-0000:9b:00.0", "kernel-log.event"), nullptr);
  EXPECT_NE(reading.find("kernel-event/block-error-sd0", "kernel-log.event"), nullptr);
  EXPECT_EQ(reading.find("kernel-event/block-error-sd399", "kernel-log.event"), nullptr) << "there is a limit";
  const Record counts = std::get<Record>(*reading.find("", "kernel-log.counts")->value());
  EXPECT_EQ(counts.at("xid"), "200");
  EXPECT_EQ(counts.at("block-error"), "400");
}

TEST(KernelLog, WhatWasRotatedAwayLastIsReadToo) {
  TemporaryFolder tree;
  tree.write("/var/log/kern.log", "Mar 16 00:30:01 n1 kernel: sound\n");
  EXPECT_EQ(read_tree("kernel-log", tree.string()).text("", "kernel-log.reach"), "0");
  tree.write("/var/log/kern.log.1",
             "Mar 10 00:30:01 n1 kernel: NVRM: Xid (PCI:0000:9b:00): 79, GPU has fallen off the bus.");
  const Reading reading = read_tree("kernel-log", tree.string());
  EXPECT_EQ(reading.text("", "kernel-log.source"), "/var/log/kern.log.1 and /var/log/kern.log");
  EXPECT_EQ(reading.text("", "kernel-log.reach"), "518400");
  EXPECT_NE(reading.find("kernel-event/xid-79-0000:9b:00.0", "kernel-log.event"), nullptr);
  // Rotated a moment ago, and named by date.
  TemporaryFolder dated;
  dated.write("/var/log/messages", "");
  dated.write("/var/log/messages-20250309", "Mar  8 00:30:01 n1 kernel: older\n");
  dated.write("/var/log/messages-20250316", "Mar 15 00:30:01 n1 kernel: newest\n");
  dated.write("/var/log/messages-20250316.gz", "packed");
  EXPECT_EQ(read_tree("kernel-log", dated.string()).text("", "kernel-log.first"), "Mar 15 00:30:01");
}

TEST(KernelLog, AShortSourceGivesWayAndKeepsItsFailures) {
  TemporaryFolder tree;
  tree.write("/sos_commands/kernel/dmesg",
             "[90000.0] NVRM: Xid (PCI:0000:9b:00): 79, GPU has fallen off the bus.\n[90001.0] x\n");
  tree.write("/var/log/kern.log", "Mar 10 00:30:01 n1 kernel: sound\nMar 16 00:30:01 n1 kernel: sound\n");
  const Reading reading = read_tree("kernel-log", tree.string());
  EXPECT_EQ(reading.text("", "kernel-log.source"), "/var/log/kern.log");
  EXPECT_NE(reading.find("kernel-event/xid-79-0000:9b:00.0", "kernel-log.event"), nullptr);
}

TEST(KernelLog, TheTranscriptHoldsAnExcerpt) {
  TemporaryFolder tree;
  std::string log = "[    0.000000] Linux version 6.1.0-18-amd64\n";
  for (int line = 1; line <= 5000; ++line) log += "[  100.000000] line " + std::to_string(line) + "\n";
  log += "[  200.000000] NVRM: Xid (PCI:0000:9b:00): 79, GPU has fallen off the bus.\nnonsense\n";
  for (int line = 1; line <= 5000; ++line) log += "[  300.000000] later " + std::to_string(line) + "\n";
  tree.write("/sos_commands/kernel/dmesg", log);
  const std::string transcript = read_tree("kernel-log", tree.string()).transcript;
  EXPECT_LT(transcript.size(), 2000u);
  for (const char* words :
       {"Linux version", "line 4999", "GPU has fallen off", "nonsense", "later 1\n", "later 5000",
        "of 10003 lines; 10002 are kernel messages of the last boot, 1 in no known form", "lines left out"})
    EXPECT_NE(transcript.find(words), std::string::npos) << words << transcript;
  EXPECT_EQ(transcript.find("line 2500"), std::string::npos);
}

TEST(KernelLog, NoLogAndAnUnknownOneAreAbsent) {
  TemporaryFolder tree;
  EXPECT_EQ(read_tree("kernel-log", tree.string()).text("", "kernel-log.counts"), "<absent missing>");
  tree.write("/var/log/messages", "I0117 15:36:26.000203 kubelet.go:1] not a kernel log\n");
  EXPECT_EQ(read_tree("kernel-log", tree.string()).text("", "kernel-log.counts"), "<absent malformed>");
}

}  // namespace
}  // namespace assay::testing
