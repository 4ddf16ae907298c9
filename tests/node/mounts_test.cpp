#include <gmock/gmock.h>

#include "node/facts/mounts_detail.hpp"
#include "reading.hpp"

namespace assay::testing {
namespace {

using node::facts::Media;
using node::facts::Mount;
using ::testing::ElementsAre;

constexpr auto kNode =
    "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
    "27 1 253:1 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw,errors=remount-ro\n"
    "30 27 0:44 / /home rw,relatime shared:9 - nfs4 10.0.0.5:/home rw,vers=4.2,hard,proto=tcp\n"
    "31 27 259:7 / /scratch rw,noatime - xfs /dev/nvme1n1 rw,attr2\n"
    "32 27 0:50 / /data/with\\040blank ro,relatime - lustre 10.1.1.1@o2ib:/fs rw,flock\n"
    "33 27 0:60 / /run/user/1000 rw - tmpfs tmpfs rw\n";

std::vector<std::string> points(const std::vector<Mount>& mounts, Media media) {
  std::vector<std::string> found;
  for (const Mount& mount : mounts)
    if (media_of(mount) == media && !belongs_to_a_container(mount)) found.push_back(mount.point);
  return found;
}

TEST(Mounts, TellsSourceTypeAndOptions) {
  TemporaryFolder tree;
  tree.write("/proc/self/mountinfo", kNode);
  const Reading reading = read_tree("mounts", tree.string());
  EXPECT_EQ(reading.text("", "mounts.network"), "/home, /data/with blank");
  EXPECT_EQ(reading.text("mount/%2Fhome", "mount.source"), "10.0.0.5:/home");
  EXPECT_EQ(reading.text("mount/%2Fhome", "mount.media"), "network");
  EXPECT_EQ(reading.text("mount/%2Fhome", "mount.options"), "rw, relatime, vers=4.2, hard, proto=tcp");
  EXPECT_EQ(reading.text("mount/%2Fhome", "mount.read-only"), "false");
  EXPECT_EQ(reading.text("mount/%2Fdata%2Fwith%20blank", "mount.read-only"), "true");
  EXPECT_EQ(reading.text("mount/%2Fdata%2Fwith%20blank", "mount.options"), "ro, relatime, flock");
  EXPECT_EQ(reading.text("mount/%2Fscratch", "mount.media"), "disk");
  EXPECT_EQ(reading.text("mount/%2Fproc", "mount.type"), "<nothing>");
  EXPECT_EQ(reading.text("", "mounts.left-out"), "2");
  EXPECT_EQ(reading.text("mount/%2Fhome", "mount.answer"), "<absent unsupported>");
}

TEST(Mounts, FindsTheDisksBelowPartitionsAndRaid) {
  TemporaryFolder tree;
  tree.write("/proc/self/mountinfo", "27 1 9:0 / / rw - ext4 /dev/md0 rw\n31 27 0:77 / /b rw - btrfs /dev/vdb1 rw\n");
  tree.write("/sys/devices/pci/nvme0n1/nvme0n1p1/partition", "1\n");
  tree.write("/sys/devices/pci/nvme1n1/nvme1n1p1/partition", "1\n");
  tree.write("/sys/devices/virtual/block/md0/slaves/nvme0n1p1", "");
  tree.write("/sys/devices/virtual/block/md0/slaves/nvme1n1p1", "");
  tree.write("/sys/devices/pci/vdb/vdb1/partition", "1\n");
  tree.link("/sys/dev/block/9:0", "../../devices/virtual/block/md0");
  tree.link("/sys/class/block/nvme0n1p1", "../../devices/pci/nvme0n1/nvme0n1p1");
  tree.link("/sys/class/block/nvme1n1p1", "../../devices/pci/nvme1n1/nvme1n1p1");
  tree.link("/sys/class/block/vdb1", "../../devices/pci/vdb/vdb1");
  const Reading reading = read_tree("mounts", tree.string());
  EXPECT_EQ(reading.text("mount/%2F", "mount.disks"), "nvme0n1, nvme1n1");
  EXPECT_EQ(reading.text("mount/%2Fb", "mount.disks"), "vdb");
}

TEST(Mounts, AListThatEndsInsideALineIsUnreadable) {
  TemporaryFolder tree;
  tree.write("/proc/self/mountinfo", std::string(kNode).substr(0, 150));
  EXPECT_EQ(read_tree("mounts", tree.string()).text("", "mounts.network"), "<absent malformed>");
  for (const auto text : {"", "\n", "27 1 8:1 / / rw - ext4\n", "x 1 8:1 / / rw - ext4 /dev/sda1 rw\n",
                          "27 1 8:1 / relative rw - ext4 /dev/sda1 rw\n", "27 1 81 / / rw - ext4 /dev/sda1 rw\n"})
    EXPECT_FALSE(node::facts::parse_mountinfo(text)) << text;
}

TEST(Mounts, EscapesAreOctal) {
  const auto mounts = node::facts::parse_mountinfo("1 0 0:1 / /a\\134b\\011c\\9 rw -  fuse \\040x rw\n");
  EXPECT_FALSE(mounts);  // an empty type
  const auto read = node::facts::parse_mountinfo("1 0 0:1 / /a\\134b\\011c\\9 rw - fuse  rw\n");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->front().point, "/a\\b\tc\\9");
  EXPECT_EQ(read->front().source, "");
}

TEST(Mounts, HiddenOnesAreNotTold) {
  const auto mounts = node::facts::parse_mountinfo(
      "2 1 8:2 / / rw - ext4 /dev/sda2 rw\n"
      "3 2 0:30 / /home rw - autofs /etc/auto.home rw\n"
      "4 3 0:31 / /home rw - nfs4 s:/home rw\n"       // stands on the automount point
      "5 2 8:3 / /data/old rw - ext4 /dev/sda3 rw\n"  // was there before its folder was mounted over
      "6 2 0:32 / /data rw - nfs4 s:/data rw\n"
      "7 5 0:33 / /data/old/deep rw - tmpfs tmpfs rw\n"  // on a hidden one
      "8 2 0:34 / /twice rw - nfs4 s:/first rw\n"
      "9 2 0:35 / /twice rw - nfs4 s:/second rw\n");
  ASSERT_TRUE(mounts);
  std::vector<std::string> seen;
  for (const Mount& mount : visible(*mounts)) seen.push_back(mount.source);
  EXPECT_THAT(seen, ElementsAre("/dev/sda2", "s:/home", "s:/data", "s:/second"));
}

TEST(Mounts, TheCoveringMountIsTheLongest) {
  const auto mounts = node::facts::parse_mountinfo(kNode);
  ASSERT_TRUE(mounts);
  EXPECT_EQ(covering(*mounts, "/home/ada")->point, "/home");
  EXPECT_EQ(covering(*mounts, "/homeless")->point, "/");
  EXPECT_EQ(covering(std::vector<Mount>(), "/home"), nullptr);
}

TEST(Mounts, ATableWithoutNumbersIsReadToo) {
  const auto mounts = node::facts::parse_mounts(
      "proc /proc proc rw,relatime 0 0\n/dev/mapper/rootvg-rootlv / ext4 rw,relatime,barrier=1 0 0\n"
      "/etc/auto.misc /misc autofs rw,relatime,fd=7,timeout=300,indirect 0 0\n"
      "nas:/users /users nfs rw,relatime,vers=3,hard 0 0\n"
      "10.0.97.126/default /mnt/weka wekafs rw,relatime,writecache 0 0\n"
      "10.0.97.126/default /mnt/weka wekafs rw,relatime,writecache 0 0\n");
  ASSERT_TRUE(mounts);
  EXPECT_THAT(points(visible(*mounts), Media::network), ElementsAre("/users", "/mnt/weka"));
  EXPECT_THAT(points(*mounts, Media::automount), ElementsAre("/misc"));
  EXPECT_THAT(points(*mounts, Media::disk), ElementsAre("/"));
  EXPECT_FALSE(node::facts::parse_mounts("nas:/users /users nfs rw 0 0\n/dev/sda1 / ext"));
}

TEST(Mounts, RealCaptures) {
  if (samples().empty()) GTEST_SKIP();
  const auto folder = samples() / "nodes/mounts";
  const auto info = [&](const char* name) { return node::facts::parse_mountinfo(read_file(folder / name)); };
  const auto table = [&](const char* name) { return node::facts::parse_mounts(read_file(folder / name)); };

  const auto gcm = info("mountinfo-container-gcm.txt");
  ASSERT_TRUE(gcm);
  EXPECT_THAT(points(*gcm, Media::network), ElementsAre("/logs", "/le/cmd", "/public"));

  const auto autofs = info("mountinfo-nfs4-autofs.txt");
  ASSERT_TRUE(autofs);
  EXPECT_THAT(points(*autofs, Media::network), ElementsAre("/shared/dir1", "/shared/dir2"));
  EXPECT_THAT(points(*autofs, Media::automount), ElementsAre("/misc", "/autofshost"));
  EXPECT_THAT(points(*autofs, Media::disk),
              ElementsAre("/", "/boot", "/diskdump", "/opt/CA", "/var", "/var/log", "/var/opt/OV"));

  const auto lxc = info("mountinfo-lxc-gpud.txt");
  ASSERT_TRUE(lxc);
  EXPECT_EQ(lxc->size(), 171u);
  EXPECT_THAT(points(*lxc, Media::network), ElementsAre("/mnt/remote-volume/training", "/mnt/remote-volume/dev"));
  EXPECT_THAT(points(*lxc, Media::disk),
              ElementsAre("/", "/usr/lib/modules/5.15.0-101-generic", "/mnt/local-volume/vol-0",
                          "/mnt/lepton-cache/vol-0", "/mnt/lepton-cache/vol-1", "/mnt/lepton-cache/vol-2",
                          "/mnt/lepton-cache/vol-3", "/mnt/lepton-cache/vol-4", "/root/tmproot"));

  const auto weka = table("proc-mounts-wekafs.txt");
  ASSERT_TRUE(weka);
  EXPECT_THAT(points(visible(*weka), Media::network), ElementsAre("/mnt/weka"));  // listed twice, mounted over itself
  const auto old = table("proc-mounts-rhel6-nfs3.txt");
  ASSERT_TRUE(old);
  EXPECT_THAT(points(*old, Media::network), ElementsAre("/sa/net", "/users"));
  EXPECT_THAT(points(visible(*old), Media::automount), ElementsAre("/misc"));
}

TEST(Mounts, ThisMachineHasARootWithSpace) {
  const Reading reading = read_live("mounts");
  const Observation* size = reading.find("mount/%2F", "mount.size");
  ASSERT_NE(size, nullptr);
  ASSERT_NE(size->value(), nullptr);
  EXPECT_GT(std::get<std::int64_t>(*size->value()), 0);
}

TEST(Home, SharedOrLocalOrMountedOnDemand) {
  const auto shared_of = [](const std::string& line) {
    TemporaryFolder tree;
    tree.write("/proc/self/mountinfo", "2 1 8:2 / / rw - ext4 /dev/sda2 rw\n" + line);
    return read_tree("home", tree.string());
  };
  const Reading nfs = shared_of("3 2 0:30 / /home rw - nfs4 s:/home rw\n");
  EXPECT_EQ(nfs.text("", "home.shared"), "true");
  EXPECT_EQ(nfs.text("", "home.source"), "s:/home");
  EXPECT_EQ(nfs.text("", "home.identity"), "<absent unsupported>");
  EXPECT_EQ(shared_of("3 2 0:30 / /home rw - fuse.sshfs head:/export/home rw\n").text("", "home.shared"), "true");
  const Reading local = shared_of("");
  EXPECT_EQ(local.text("", "home.shared"), "false");
  EXPECT_EQ(local.text("", "home.mount"), "/");
  EXPECT_EQ(shared_of("3 2 0:30 / /home rw - autofs /etc/auto.home rw\n").text("", "home.shared"),
            "<absent unsupported>");
  EXPECT_EQ(shared_of("cut").text("", "home.shared"), "<absent malformed>");
}

}  // namespace
}  // namespace assay::testing
