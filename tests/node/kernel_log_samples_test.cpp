// Real kernel logs. What is in each was written down by reading it; harmless ones must yield nothing.
#include <gmock/gmock.h>

#include "node/facts/kernel_log_events_detail.hpp"
#include "testing.hpp"

namespace assay::testing {
namespace {

using ::testing::UnorderedElementsAreArray;

struct Capture {
  const char* file;
  std::vector<std::string> events;  // kind code severity device ×count
  std::size_t unread = 0;
};

const Capture kCaptures[] = {
    {"xid-119-gsp-timeout-xe9680.dmesg-T.txt", {"xid 119 0000:9b:00.0 x5"}},
    {"xid-48-63-94-contained.dmesg-iso.txt",
     {"xid 48 0000:19:00.0 x1", "xid 63 0000:19:00.0 x1", "xid 94 0000:19:00.0 x9"}},
    {"xid-13-43-then-oom.dmesg-x-iso.txt", {"xid 13 0000:38:00.0 x16", "xid 43 0000:38:00.0 x1", "oom host x3"}},
    {"xid-149-154-nvlink-gb200.dmesg.txt",
     {"xid 149 0009:01:00.0 x3", "xid 149 0008:01:00.0 x2", "xid 154 0009:01:00.0 x1", "xid 154 0019:01:00.0 x1",
      "xid 154 0018:01:00.0 x1", "xid 154 0008:01:00.0 x1"}},
    {"xid-64-94-sxid-12028-pcie-limited-h100.dmesg.txt",
     {"xid 94 0000:0f:00.0 x1", "xid 64 0000:0f:00.0 x1", "sxid 12028 non-fatal 0000:85:00.0 x1"}},
    {"xid-48-171-63-154-gddr-dbe.journal.txt",
     {"xid 48 0000:55:00.0 x2", "xid 171 0000:55:00.0 x1", "xid 63 0000:55:00.0 x1", "xid 154 0000:55:00.0 x1"}},
    {"sxid-22013-bond-mlx5-flap.dmesg.txt",
     {"sxid 22013 non-fatal 0000:08:00.0 x1", "link-flap enp83s0f0np0 x1", "link-flap mlx5_3 x1"},
     1},
    {"amdgpu-mi300x-xgmi-ce-mode1-reset.dmesg.txt",
     {"amdgpu-ras corrected 0000:9d:00.0 x1", "amdgpu-reset 0000:dd:00.0 x3", "amdgpu-reset 0000:1b:00.0 x2",
      "amdgpu-reset 0000:3d:00.0 x1", "amdgpu-reset 0000:4e:00.0 x1", "amdgpu-reset 0000:bd:00.0 x1",
      "amdgpu-reset 0000:9d:00.0 x2", "amdgpu-reset 0000:5f:00.0 x1", "amdgpu-reset 0000:cd:00.0 x1"}},
    {"amdgpu-ring-gfx-timeout-reset.journal.txt",
     {"amdgpu-timeout 0000:09:00.0 x2", "amdgpu-reset 0000:09:00.0 x2", "oops x1"}},
    {"mlx5-access-reg-cmd-timeout.dmesg.txt", {"mlx5-command-timeout 0000:56:00.0 x1"}},
    {"nvme-reset-ext4-errors.dmesg-T.txt",
     {"filesystem-error md0 x1", "block-error nvme0n1 x1", "nvme-reset nvme4 x1", "nvme-removed nvme4 x1",
      "block-error dm-0 x2", "filesystem-error dm-0 x1"}},
    {"nvme-csts-ffffffff-removed.dmesg.txt", {"nvme-reset nvme0 x1", "nvme-removed nvme0 x1"}},
    {"nvme-io-error-xfs-log.dmesg.txt", {"block-error nvme2n1 x3", "filesystem-error md127 x2"}},
    {"aer-corrected-rxerr-nvme-5.9.journal.txt", {"aer corrected 0000:02:00.0 x1"}},
    {"hung-task-panic-5.15-nvidia.kmsg-prefix.txt", {"panic x1"}},
    {"hung-task-containerd-shim-5.15.dmesg.txt", {"hung-task x1", "panic x1"}},
    {"soft-lockup-hung-task-jfs.dmesg-T.txt", {"hung-task x1", "soft-lockup cpu0 x1", "soft-lockup cpu18 x1"}},
    {"lustre-ost-lost-fsx-2026.dmesg-T.txt", {"lustre-error x2"}},
    {"lustre-mds-close-2011.dmesg.txt", {"lustre-error x2"}},
    {"panic-pstore-erst-genoa.txt", {"panic x1"}, 4},
    {"boot-h100-node-550.90.07.dmesg-x-iso.txt", {}},
    {"nvswitch-open.kmsg-raw.txt", {}},
    {"peermem-invalid-context.kmsg-raw.txt", {}},
    {"docker-veth-noise-a800.dmesg-short-iso.txt", {}},
    {"boot-gce-vm.dmesg.txt", {}},
};

std::string words(const node::kernel_log::Event& event) {
  std::string text(event.kind);
  for (const std::string* part : {&event.code, &event.severity, &event.device})
    if (!part->empty()) text += " " + *part;
  return text + " x" + std::to_string(event.count);
}

std::string capture(const std::string& file) { return read_file(samples() / "nodes/kernel-log" / file); }

TEST(KernelLogSamples, EachHoldsWhatWasReadInIt) {
  if (samples().empty()) GTEST_SKIP() << "no ../shared/samples";
  for (const Capture& each : kCaptures) {
    const auto log = node::kernel_log::parse(capture(each.file));
    std::vector<std::string> found;
    for (const auto& event : node::kernel_log::events(log)) found.push_back(words(event));
    EXPECT_THAT(found, UnorderedElementsAreArray(each.events)) << each.file;
    EXPECT_EQ(log.unread, each.unread) << each.file;
    EXPECT_FALSE(log.lines.empty()) << each.file;
  }
}

TEST(KernelLogSamples, Mlx5HealthOnSixFunctions) {
  if (samples().empty()) GTEST_SKIP() << "no ../shared/samples";
  std::vector<std::string> devices;
  for (const auto& event :
       node::kernel_log::events(node::kernel_log::parse(capture("mlx5-fw-health-synd1.dmesg.txt")))) {
    EXPECT_EQ(event.kind, "mlx5-health");
    devices.push_back(event.device);
  }
  EXPECT_THAT(devices, UnorderedElementsAreArray({"0000:0d:00.0", "0000:0d:00.1", "0000:0d:00.2", "0000:0d:00.3",
                                                  "0000:0d:00.4", "0000:0d:00.5"}));
}

TEST(KernelLogSamples, WhatIsNoKernelLogHoldsNoKernelLine) {
  if (samples().empty()) GTEST_SKIP() << "no ../shared/samples";
  for (const char* file :
       {"fabricmanager-12028-h100.log", "kubelet-http2-lost-lease.klog.txt", "networkd-lost-carrier-eth-ib.syslog.txt",
        "chronyd-clock-stepped.journal.txt", "chronyd-844-day-jump.journal.txt"})
    EXPECT_TRUE(node::kernel_log::parse(capture(file)).lines.empty()) << file;
}

}  // namespace
}  // namespace assay::testing
