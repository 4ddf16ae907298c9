#include "slurm/gres.hpp"

#include <gmock/gmock.h>

namespace assay::slurm {
namespace {

TEST(Gres, ReadsCountsOrRefuses) {
  EXPECT_EQ(gpus_in("gpu")->count, 1);
  EXPECT_EQ(gpus_in("mps:400,gpu:a100:3")->count, 3);
  EXPECT_EQ(gpus_in("gpu:h100:2(S:0,1),gpu:h200:4(IDX:0-3),shard:32")->count, 6);
  EXPECT_TRUE(gpus_in("gpu:1g.10gb:7")->slices);
  EXPECT_EQ(gpus_in("")->count, 0);
  for (const char* bad : {"gpu:-1", "gpu:a:b", "gpu::8", "gpu:8:8"}) EXPECT_FALSE(gpus_in(bad)) << bad;
}

TEST(Tres, TellsWhatIsHandedOut) {
  EXPECT_EQ(gpus_of_tres("cpu=2,mem=1000M,gres/gpu=8"), 8);
  for (const char* none : {"", "cpu=2", "gres/gpu=", "gres/gpu=x", "gres/gpu=-1", "gres/gpu:h100=8"})
    EXPECT_FALSE(gpus_of_tres(none)) << none;
}

TEST(Devices, AreWhatAJobMustAskFor) {
  EXPECT_EQ(devices_of("gpu:h100:2(S:0,1),gpu:h200:4(IDX:0-3),shard:32,nic:8"), "gpu:h100:2,gpu:h200:4,nic:8");
  EXPECT_EQ(devices_of("(null)"), "");
  EXPECT_EQ(devices_of("gpu:h100:8", "cpu=2,gres/gpu=4"), "gpu:h100:4");
  EXPECT_EQ(devices_of("gpu:h100:8", "cpu=2"), "gpu:h100:8");
  EXPECT_EQ(devices_of("gpu:h100:8", "gres/gpu=-4"), "gpu:h100:8");
  EXPECT_EQ(devices_of("gpu:a:2,gpu:b:2", "gres/gpu=4"), "gpu:a:2,gpu:b:2");
  EXPECT_EQ(devices_of(""), "");
}

}  // namespace
}  // namespace assay::slurm
