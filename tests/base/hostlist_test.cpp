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

}  // namespace
}  // namespace assay::hostlist
