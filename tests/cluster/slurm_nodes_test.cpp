#include "cluster/slurm_nodes.hpp"

#include <gmock/gmock.h>

namespace assay::cluster {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

SlurmNode node(const std::string& state, const std::string& reason = "none") {
  return parse_sinfo("n1|main*|" + state + "|gpu:8|" + reason + "\n").value().front();
}

TEST(Sinfo, ReadsNodesPartitionsAndReasons) {
  const auto nodes = parse_sinfo(
      "n1|main*|idle|gpu:h100:8(S:0-1)|none\n"
      "n2|gpu|drained*|(null)|GPU 3 fell off | the bus\nsecond line of the reason\n");
  ASSERT_TRUE(nodes);
  ASSERT_THAT(*nodes, SizeIs(2));
  EXPECT_EQ((*nodes)[0].partition, "main");
  EXPECT_TRUE((*nodes)[0].by_default);
  EXPECT_EQ((*nodes)[0].gres, "gpu:h100:8");
  EXPECT_EQ((*nodes)[0].reason, "");
  EXPECT_FALSE((*nodes)[1].by_default);
  EXPECT_EQ((*nodes)[1].reason, "GPU 3 fell off | the bus");
  EXPECT_TRUE(parse_sinfo("").value().empty());
}

TEST(Sinfo, RefusesOtherTextAndNamesThatAreOptions) {
  EXPECT_FALSE(parse_sinfo("slurm_load_partitions: Unable to contact slurm controller (connect failure)\n"));
  EXPECT_FALSE(parse_sinfo("--uid=0|main*|idle|(null)|none\n"));
  EXPECT_FALSE(parse_sinfo("n1;reboot|main*|idle|(null)|none\n"));
}

TEST(SlurmNode, TellsWhyItIsNotWorthAskingFor) {
  for (const char* state : {"idle", "mixed", "allocated", "completing", "planned", "idle+", "mixed-"})
    EXPECT_EQ(node(state).unreachable(false), "") << state;
  EXPECT_EQ(node("drained", "bad DIMM").unreachable(false), "Slurm says it is drained: bad DIMM");
  EXPECT_EQ(node("down*").unreachable(false), "Slurm says it is down and not responding");
  EXPECT_EQ(node("idle~").unreachable(false), "Slurm says it is powered down to save power");
  EXPECT_THAT(node("idle*").unreachable(false), HasSubstr("not responding"));
  EXPECT_THAT(node("maint").unreachable(false), HasSubstr("maintenance"));
  EXPECT_EQ(node("reserved").unreachable(true), "");
}

TEST(SlurmNode, IsAwaitedWhileItIsSilentButNotGivenUp) {
  for (const char* state : {"idle*", "mixed*", "allocated*", "unknown", "unknown*"})
    EXPECT_TRUE(node(state).awaited()) << state;
  for (const char* state : {"idle", "down*", "drained*", "idle~", "future"})
    EXPECT_FALSE(node(state).awaited()) << state;
}

}  // namespace
}  // namespace assay::cluster
