#include <gmock/gmock.h>

#include "reading.hpp"

namespace assay::testing {
namespace {

TemporaryFolder& add_disk(TemporaryFolder& tree, const std::string& name, const std::string& pci) {
  const std::string folder = "/sys/devices/pci0000:00/" + pci + "/nvme/nvme0/" + name;
  tree.write(folder + "/size", "7501476528\n");
  tree.write(folder + "/queue/rotational", "0\n");
  tree.write(folder + "/removable", "0\n");
  tree.write(folder + "/device/model", "SAMSUNG MZWLO3T8HCLS-00A07              \n");
  tree.link("/sys/block/" + name, "../devices/pci0000:00/" + pci + "/nvme/nvme0/" + name);
  tree.link("/sys/class/block/" + name, "../../devices/pci0000:00/" + pci + "/nvme/nvme0/" + name);
  return tree;
}

TEST(Block, TellsWhatADiskIsAndItsUse) {
  TemporaryFolder tree;
  add_disk(tree, "nvme0n1", "0000:e3:00.0");
  add_disk(tree, "nvme1n1", "0000:e4:00.0");
  add_disk(tree, "nvme2n1", "0000:e5:00.0");
  tree.write("/sys/block/nvme1n1/holders/md0", "");
  tree.write("/sys/devices/virtual/block/loop0/size", "8\n");
  tree.link("/sys/block/loop0", "../devices/virtual/block/loop0");
  tree.link("/sys/dev/block/259:0", "../../devices/pci0000:00/0000:e3:00.0/nvme/nvme0/nvme0n1");
  tree.write("/proc/self/mountinfo", "2 1 259:0 / / rw - xfs /dev/nvme0n1 rw\n");
  const Reading reading = read_tree("block", tree.string());
  EXPECT_EQ(reading.text("", "disks.names"), "nvme0n1, nvme1n1, nvme2n1");
  EXPECT_EQ(reading.text("disk/nvme0n1", "disk.size"), std::to_string(7501476528LL * 512));
  EXPECT_EQ(reading.text("disk/nvme0n1", "disk.rotational"), "false");
  EXPECT_EQ(reading.text("disk/nvme0n1", "disk.model"), "SAMSUNG MZWLO3T8HCLS-00A07");
  EXPECT_EQ(reading.text("disk/nvme0n1", "disk.transport"), "nvme");
  EXPECT_EQ(reading.text("disk/nvme0n1", "disk.pci"), "0000:e3:00.0");
  EXPECT_EQ(reading.text("disk/nvme0n1", "disk.use"), "mounted");
  EXPECT_EQ(reading.text("disk/nvme1n1", "disk.use"), "held");
  EXPECT_EQ(reading.text("disk/nvme2n1", "disk.use"), "none");
}

TEST(Block, UnreadableAndMalformedAreSaid) {
  TemporaryFolder tree;
  EXPECT_EQ(read_tree("block", tree.string()).text("", "disks.names"), "<absent unsupported>");
  tree.write("/sys/block/sda/size", "many\n");
  const Reading reading = read_tree("block", tree.string());
  EXPECT_EQ(reading.text("disk/sda", "disk.size"), "<absent malformed>");
  EXPECT_EQ(reading.text("disk/sda", "disk.model"), "<absent missing>");
  tree.write("/sys/block/sda/size", "9223372036854775807\n");
  EXPECT_EQ(read_tree("block", tree.string()).text("disk/sda", "disk.size"), "<absent malformed>");
}

TEST(Block, TellsARaidThatLacksAMember) {
  TemporaryFolder tree;
  tree.write("/sys/block/md127/md/level", "raid1\n");
  tree.write("/sys/block/md127/md/array_state", "clean\n");
  tree.write("/sys/block/md127/md/degraded", "1\n");
  tree.write("/sys/block/md127/md/raid_disks", "2\n");
  const Reading reading = read_tree("block", tree.string());
  EXPECT_EQ(reading.text("", "disks.names"), "");
  EXPECT_EQ(reading.text("raid/md127", "raid.degraded"), "1");
  EXPECT_EQ(reading.text("raid/md127", "raid.level"), "raid1");
}

}  // namespace
}  // namespace assay::testing
