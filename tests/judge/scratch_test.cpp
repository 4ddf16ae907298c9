#include <gmock/gmock.h>

#include "judging.hpp"

namespace assay::testing {
namespace {

using Observations = std::vector<Observation>;
constexpr auto kCheck = "storage.local-scratch";
const std::string kNode = "cluster/c/node/n1";
constexpr std::int64_t kTera = 1'000'000'000'000;

struct Disk {
  std::string point = "%2Fscratch";
  std::int64_t size = 7 * kTera;
  std::int64_t available = 6 * kTera;
  std::int64_t inodes = 1000;
  std::int64_t inodes_free = 900;
  bool read_only = false;
  std::string transport = "nvme";
  bool rotational = false;
};

Observations node() {
  return {seen(kNode, "gpu.count", std::int64_t{8}, "1"), seen(kNode, "mounts.left-out", std::int64_t{20}, "1"),
          seen(kNode, "disks.names", TextList{"nvme0n1"})};
}

void add(Observations& all, const Disk& disk) {
  const std::string mount = kNode + "/mount/" + disk.point;
  all.push_back(seen(mount, "mount.media", std::string("disk")));
  all.push_back(seen(mount, "mount.size", disk.size, "By"));
  all.push_back(seen(mount, "mount.available", disk.available, "By"));
  all.push_back(seen(mount, "mount.inodes", disk.inodes, "1"));
  all.push_back(seen(mount, "mount.inodes-free", disk.inodes_free, "1"));
  all.push_back(seen(mount, "mount.read-only", disk.read_only));
  all.push_back(seen(mount, "mount.disks", TextList{"nvme0n1"}));
  all.push_back(seen(kNode + "/disk/nvme0n1", "disk.transport", disk.transport));
  all.push_back(seen(kNode + "/disk/nvme0n1", "disk.rotational", disk.rotational));
}

std::string with(const Disk& disk) {
  Observations all = node();
  add(all, disk);
  return status_of(kCheck, all, "node/n1");
}

TEST(LocalScratch, Sound) {
  EXPECT_EQ(with({}), "pass");
  EXPECT_EQ(with({.inodes = 0, .inodes_free = 0}), "pass");              // btrfs has no bound
  EXPECT_EQ(with({.transport = "virtio", .rotational = true}), "pass");  // virtual disks call themselves turning
}

TEST(LocalScratch, Low) {
  EXPECT_EQ(with({.available = kTera / 2}), "warn");
  EXPECT_EQ(with({.inodes_free = 50}), "warn");
  EXPECT_EQ(with({.transport = "scsi", .rotational = true}), "warn");
  EXPECT_EQ(with({.read_only = true}), "fail");
}

TEST(LocalScratch, TheSystemsOwnIsNoScratch) {
  EXPECT_EQ(with({.point = "%2F"}), "fail");
  EXPECT_EQ(with({.point = "%2Fvar%2Flog"}), "fail");
  EXPECT_EQ(with({.size = 10'000'000, .available = 9'000'000}), "fail");
  EXPECT_EQ(with({.point = "%2Fvarious"}), "pass");
}

TEST(LocalScratch, IdleDisksAreNamed) {
  Observations all = node();
  const std::string disk = kNode + "/disk/nvme1n1";
  all.push_back(seen(disk, "disk.use", std::string("none")));
  all.push_back(seen(disk, "disk.size", 4 * kTera, "By"));
  all.push_back(seen(disk, "disk.transport", std::string("nvme")));
  const auto verdicts = judged(kCheck, all);
  EXPECT_EQ(verdicts.at("node/n1").status, Status::fail);
  EXPECT_EQ(verdicts.at("node/n1").measured, "idle: nvme1n1 (4.0 TB)");
}

TEST(LocalScratch, UnreadableMalformedNotApplicable) {
  Observations hidden = node();
  add(hidden, {});
  for (Observation& each : hidden)
    if (each.name == "mount.available") each = unseen(each.subject.path(), each.name, Absence::permission);
  EXPECT_EQ(status_of(kCheck, hidden, "node/n1"), "unknown");
  Observations odd = node();
  add(odd, {});
  for (Observation& each : odd)
    if (each.name == "mount.inodes-free") each = seen(each.subject.path(), each.name, std::string("many"));
  EXPECT_EQ(status_of(kCheck, odd, "node/n1"), "unknown");
  EXPECT_EQ(status_of(kCheck, {unseen(kNode, "mounts.left-out", Absence::malformed)}, "node/n1"), "unknown");
  EXPECT_EQ(status_of(kCheck, {seen(kNode, "gpu.count", std::int64_t{0}, "1")}, "node/n1"), "not_applicable");
}

TEST(LocalScratch, WhatWasNotReadIsNoPass) {
  const auto status = [](Disk disk, const std::string& name, const std::optional<Value>& value) {
    Observations all = node();
    add(all, disk);
    for (Observation& each : all)
      if (each.name == name)
        each = value ? seen(each.subject.path(), name, *value) : unseen(each.subject.path(), name, Absence::timeout);
    return status_of(kCheck, all, "node/n1");
  };
  const Disk sata{.transport = "scsi"};
  EXPECT_EQ(with(sata), "pass");
  EXPECT_EQ(status(sata, "disk.rotational", std::nullopt), "unknown");
  EXPECT_EQ(status(sata, "disk.rotational", "no"), "unknown");
  EXPECT_EQ(status({.rotational = true}, "disk.transport", std::nullopt), "unknown");
  EXPECT_EQ(status({}, "disk.rotational", std::nullopt), "pass") << "NVMe doesn't turn";
  EXPECT_EQ(status({}, "disk.transport", std::nullopt), "pass") << "it said that it doesn't turn";
  EXPECT_EQ(status({}, "mount.disks", std::nullopt), "unknown");
  EXPECT_EQ(status({}, "mount.read-only", std::nullopt), "unknown");
  EXPECT_EQ(status({}, "mount.size", std::nullopt), "unknown");
  EXPECT_EQ(status({}, "mount.media", std::nullopt), "unknown") << "it may be the scratch";
  EXPECT_EQ(status({.available = kTera / 2}, "mount.inodes", std::nullopt), "warn") << "proven in spite of the gap";
}

}  // namespace
}  // namespace assay::testing
