#include <gtest/gtest.h>

#include "reading.hpp"

namespace assay::testing {
namespace {

TEST(Iommu, TellsUnitsAndDomains) {
  TemporaryFolder tree;
  tree.write("/sys/class/iommu/dmar0/address", "0\n");
  tree.write("/sys/kernel/iommu_groups/0/type", "identity\n");
  tree.write("/sys/kernel/iommu_groups/1/type", "DMA-FQ\n");
  const Reading reading = read_tree("iommu", tree.string());
  EXPECT_EQ(reading.text("", "iommu.units"), "dmar0");
  EXPECT_EQ(reading.text("", "iommu.groups"), "2");
  EXPECT_EQ(reading.text("", "iommu.domain-types"), "DMA-FQ, identity");
}

TEST(Iommu, NoneIsMissing) {
  TemporaryFolder tree;
  tree.write("/sys/class/net/lo/mtu", "65536\n");
  EXPECT_EQ(read_tree("iommu", tree.string()).text("", "iommu.groups"), "<absent missing>");
}

TEST(Rdma, TellsLoadedModules) {
  TemporaryFolder tree;
  tree.write("/proc/modules",
             "nvidia_peermem 16384 0 - Live 0x0 (OE)\next4 1000 1 - Live 0x0\nib_core 1 2 mlx5_ib, Live 0x0\n");
  EXPECT_EQ(read_tree("rdma", tree.string()).text("", "rdma.modules"), "ib_core, nvidia_peermem");
  tree.write("/proc/modules", "cut off\n");
  EXPECT_EQ(read_tree("rdma", tree.string()).text("", "rdma.modules"), "<absent malformed>");
}

}  // namespace
}  // namespace assay::testing
