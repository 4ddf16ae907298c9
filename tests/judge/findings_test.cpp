#include "judge/findings.hpp"

#include <gmock/gmock.h>

namespace assay::judge {
namespace {

using ::testing::HasSubstr;

const Opinion kSound{Status::pass, "all", "all is well"};

TEST(Findings, NothingFoundIsSound) {
  EXPECT_EQ(Findings().verdict(kSound).status, Status::pass);
  EXPECT_EQ(Findings().verdict(kSound).why, "all is well");
}

TEST(Findings, TheWorstCountsInWhateverOrder) {
  for (const bool first : {true, false}) {
    Findings found;
    if (first) found.fail("b", "broken");
    found.warn("w", "worn");
    found.add({Status::pass, "p", "sound"});
    if (!first) found.fail("b", "broken");
    const Opinion verdict = found.verdict(kSound);
    EXPECT_EQ(verdict.status, Status::fail);
    EXPECT_EQ(verdict.measured, "b; w; p");
    EXPECT_EQ(verdict.why, "broken");
  }
}

TEST(Findings, AGapHidesNothingProven) {
  Findings found;
  found.gap("no permission");
  found.gap("another");
  EXPECT_EQ(found.verdict(kSound).status, Status::unknown);
  EXPECT_EQ(found.verdict(kSound).why, "no permission");
  found.add({Status::pass, "p", "sound"});
  EXPECT_EQ(found.verdict(kSound).status, Status::unknown) << "behind the gap may be anything";
  EXPECT_EQ(found.verdict(kSound).measured, "");
  found.warn("w", "worn");
  EXPECT_EQ(found.verdict(kSound).status, Status::warn);
  EXPECT_EQ(found.verdict(kSound).why, "worn; not seen: no permission");
  found.fail("b", "broken");
  EXPECT_EQ(found.verdict(kSound).status, Status::fail);
  EXPECT_EQ(found.verdict(kSound).why, "broken");
}

TEST(Findings, ManyReasonsAreCounted) {
  Findings found;
  for (const char* why : {"1", "2", "3", "4", "5"}) found.warn(why, why);
  EXPECT_EQ(found.verdict(kSound).why, "1; 2; 3; and 2 more");
}

TEST(Findings, BadnessHasOneOrder) {
  const std::vector<Status> order = {Status::not_applicable, Status::pass, Status::unknown, Status::warn, Status::fail};
  for (std::size_t a = 0; a < order.size(); ++a)
    for (std::size_t b = 0; b < order.size(); ++b) EXPECT_EQ(worse(order[a], order[b]), a > b);
}

}  // namespace
}  // namespace assay::judge
