#include "base/hostlist.hpp"

#include <gmock/gmock.h>

namespace assay::hostlist {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Hostlist, ExpandsRangesListsAndZeros) {
  EXPECT_THAT(expand("n[1-3,7],login").value(), ElementsAre("n1", "n2", "n3", "n7", "login"));
  EXPECT_THAT(expand("cn[08-11]").value(), ElementsAre("cn08", "cn09", "cn10", "cn11"));
  EXPECT_THAT(expand("r[1-2]n[1-2]x").value(), ElementsAre("r1n1x", "r1n2x", "r2n1x", "r2n2x"));
  EXPECT_THAT(expand("a,b").value(), ElementsAre("a", "b"));
  EXPECT_THAT(expand("").value(), IsEmpty());
}

TEST(Hostlist, RefusesWhatItCannotRead) {
  for (const char* list : {"n[1-", "n1]", "n[[1]]", "n[3-1]", "n[a-b]", "n[]", "a,,b", "n[1-2-3]", ",", "n[1-99999999]",
                           "n[0-999]x[0-999]", "n[0-65535],m"})
    EXPECT_FALSE(expand(list)) << list;
}

TEST(FoldNames, FoldsRuns) {
  EXPECT_EQ(fold({"n1", "n2", "n3", "n7"}), "n[1-3,7]");
  EXPECT_EQ(fold({"n2", "n10", "n1", "n2"}), "n[1-2,10]");
  EXPECT_EQ(fold({"0", "1", "2"}), "0-2");
  EXPECT_EQ(fold({"n5"}), "n5");
  EXPECT_EQ(fold({}), "");
}

TEST(FoldNames, KeepsWidths) {
  EXPECT_EQ(fold({"n08", "n09", "n10", "n11"}), "n[08-11]");
  EXPECT_EQ(fold({"n8", "n9", "n10"}), "n[8-10]");
  EXPECT_EQ(fold({"n1", "n01"}), "n01, n1");
}

TEST(FoldNames, CountsByTheFirstLabelsLastNumber) {
  EXPECT_EQ(fold({"r1-n1.dc2.example", "r1-n2.dc2.example"}), "r1-n[1-2].dc2.example");
  EXPECT_EQ(fold({"mlx5_0", "mlx5_1", "mlx5_bond"}), "mlx5_[0-1], mlx5_bond");
}

TEST(FoldNames, LeavesWhatIsNoNumberAlone) {
  EXPECT_EQ(fold({"head", "login"}), "head, login");
  EXPECT_EQ(fold({"99999999999999999999", "x99999999999999999999"}), "99999999999999999999, x99999999999999999999");
}

TEST(FoldNames, AreJoinedAsAsked) { EXPECT_EQ(fold({"n1", "n2", "m"}, ","), "m,n[1-2]"); }

}  // namespace
}  // namespace assay::hostlist
