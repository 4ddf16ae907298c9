#include <gmock/gmock.h>

#include "scene.hpp"

namespace assay::testing {
namespace {

using catalog::Answer;
using catalog::Answers;
using rating::exactly;
using rating::Interval;
using rating::kUnknown;
using ::testing::HasSubstr;

const rating::ItemScore item(const std::string& id, const std::vector<Verdict>& verdicts, const Answers& answers = {}) {
  return item_of(rated(verdicts, answers), id);
}

TEST(ItemScore, NothingSeenIsUnknown) {
  const auto a = item("security.a", {});
  EXPECT_EQ(a.score, kUnknown);
  EXPECT_EQ(a.seen, 0);
  EXPECT_EQ(a.status, Status::unknown);
}

TEST(ItemScore, PassWarnAndFailAreWorthWhatTheRubricSays) {
  EXPECT_EQ(item("security.a", {verdict("security.a", "node/n1", "pass")}).score, exactly(1));
  EXPECT_EQ(item("security.a", {verdict("security.a", "node/n1", "warn")}).score, exactly(0.5));
  EXPECT_EQ(item("security.a", {verdict("security.a", "node/n1", "fail")}).score, exactly(0));
  EXPECT_EQ(item("security.a", {verdict("security.a", "node/n1", "unknown")}).score, kUnknown);
}

TEST(ItemScore, IsTheShareOfUnitsThatAreSound) {
  const auto a =
      item("security.a", {verdict("security.a", "node/n1", "pass"), verdict("security.a", "node/n2", "fail"),
                          verdict("security.a", "node/n3", "unknown"), verdict("security.a", "node/n4", "pass")});
  EXPECT_EQ(a.score, (Interval{0.5, 0.75}));
  EXPECT_EQ(a.seen, 0.75);
  EXPECT_EQ(a.status, Status::fail);
  EXPECT_EQ(a.note, "cluster/c/node/n2: because fail");
}

TEST(ItemScore, ANodeIsAsGoodAsItsWorstPart) {
  const auto a = item("security.a",
                      {verdict("security.a", "node/n1/gpu/0", "pass"), verdict("security.a", "node/n1/gpu/1", "fail"),
                       verdict("security.a", "node/n2/gpu/0", "pass")});
  EXPECT_EQ(a.score, exactly(0.5));
}

TEST(ItemScore, AGapBesideAFailureHidesNothing) {
  const auto a = item("security.a", {verdict("security.a", "node/n1/gpu/0", "unknown"),
                                     verdict("security.a", "node/n1/gpu/1", "fail")});
  EXPECT_EQ(a.score, exactly(0));
  EXPECT_EQ(a.status, Status::fail);
}

TEST(ItemScore, SeveralChecksMustAllHold) {
  const auto b =
      item("security.b", {verdict("security.b", "node/n1", "pass"), verdict("security.b2", "node/n1", "fail"),
                          verdict("security.b", "node/n2", "pass")});
  EXPECT_EQ(b.score, exactly(0.5));
  EXPECT_EQ(b.checks, (std::vector<std::string>{"security.b", "security.b2"}));
}

TEST(ItemScore, WhatIsSaidOfTheClusterBoundsItsNodes) {
  EXPECT_EQ(item("security.a", {verdict("security.a", "", "warn"), verdict("security.a", "node/n1", "pass")}).score,
            exactly(0.5));
}

TEST(ItemScore, NotApplicableLeavesTheUnitOrTheItemOut) {
  const auto partly = item(
      "security.a", {verdict("security.a", "node/n1", "not_applicable"), verdict("security.a", "node/n2", "pass")});
  EXPECT_EQ(partly.score, exactly(1));
  const auto wholly = item("security.a", {verdict("security.a", "node/n1", "not_applicable")});
  EXPECT_EQ(wholly.status, Status::not_applicable);
  EXPECT_EQ(wholly.note, "cluster/c/node/n1: because not_applicable");
}

TEST(ItemScore, WhatEveryClusterMustHaveIsNotLeftOut) {
  catalog::Rubric rubric = small_rubric();
  rubric.criteria[1].items[2].always = true;
  rubric.gates.push_back({"gate-f", {"lifecycle.f"}, true, "f is broken"});
  const std::vector<Verdict> none_there = {verdict("lifecycle.f", "", "not_applicable")};
  const auto open = rating::rate(rubric, small_checks(), none_there, {});
  EXPECT_EQ(item_of(open, "lifecycle.f").score, kUnknown);
  EXPECT_EQ(gate_of(open, "gate-f").status, Status::unknown);
  Answers answers;
  answers.by_item["lifecycle.f"] = answer(Answer::Word::yes, true);
  EXPECT_EQ(gate_of(rating::rate(rubric, small_checks(), none_there, answers), "gate-f").status, Status::pass);
}

TEST(ItemScore, EachMachineWayIsAPart) {
  const auto audited = item("security.c", {verdict("security.c", "node/n1", "pass")});
  EXPECT_EQ(audited.score, (Interval{0.5, 1}));
  EXPECT_EQ(audited.status, Status::unknown);
  const auto both =
      item("security.c", {verdict("security.c", "node/n1", "pass"), verdict("security.c-bench", "", "fail")});
  EXPECT_EQ(both.score, exactly(0.5));
  EXPECT_EQ(both.status, Status::fail);
}

TEST(ItemScore, AnAnswerWithADocumentIsProofAndWithoutOneAClaim) {
  Answers answers;
  answers.by_item["lifecycle.d"] = answer(Answer::Word::yes, true);
  const auto proven = item("lifecycle.d", {}, answers);
  EXPECT_EQ(proven.score, exactly(1));
  EXPECT_EQ(proven.status, Status::pass);
  EXPECT_EQ(proven.note, "answered yes by Jo on 2026-11-30, proven by contract (2026-01-01, contract.pdf)");
  answers.by_item["lifecycle.d"] = answer(Answer::Word::yes, false);
  const auto claimed = item("lifecycle.d", {}, answers);
  EXPECT_EQ(claimed.score, (Interval{0.25, 1}));
  EXPECT_EQ(claimed.seen, 0);
  EXPECT_EQ(claimed.status, Status::unknown);
  answers.by_item["lifecycle.d"] = answer(Answer::Word::no, false);
  const auto admitted = item("lifecycle.d", {}, answers);
  EXPECT_EQ(admitted.score, exactly(0));
  EXPECT_EQ(admitted.status, Status::fail);
  answers.by_item["lifecycle.d"] = answer(Answer::Word::partly, false);
  EXPECT_EQ(item("lifecycle.d", {}, answers).score, (Interval{0.125, 0.5}));
}

TEST(ItemScore, AValueMustClearItsBar) {
  Answers answers;
  answers.by_item["lifecycle.e"] = answer(Answer::Word::value, true, 15);
  EXPECT_EQ(item("lifecycle.e", {}, answers).score, exactly(1));
  answers.by_item["lifecycle.e"] = answer(Answer::Word::value, true, 16);
  const auto slow = item("lifecycle.e", {}, answers);
  EXPECT_EQ(slow.status, Status::fail);
  EXPECT_THAT(slow.note, HasSubstr("answered 16 min"));
}

TEST(ItemScore, AnAnswerStandsInForWhatMachinesDidNotShowAndNeverOutweighsIt) {
  Answers answers;
  answers.by_item["lifecycle.f"] = answer(Answer::Word::yes, true);
  EXPECT_EQ(item("lifecycle.f", {verdict("lifecycle.f", "node/n1", "unknown")}, answers).score, exactly(1));
  const auto contradicted = item("lifecycle.f", {verdict("lifecycle.f", "node/n1", "fail")}, answers);
  EXPECT_EQ(contradicted.score, exactly(0.5));
  EXPECT_EQ(contradicted.status, Status::fail);
  EXPECT_EQ(item("lifecycle.f", {verdict("lifecycle.f", "node/n1", "pass")}).score, exactly(1));
}

std::string closing(const rating::Rating& rating, const std::string& item) {
  std::string how;
  for (const auto& each : rating.closes)
    if (each.item == item) how += (how.empty() ? "" : " ") + each.how;
  return how;
}

TEST(ItemScore, ChecksThatSeeAPartOfItDoNotEarnAllOfIt) {
  catalog::Rubric rubric = small_rubric();
  rubric.criteria[0].items[0].not_yet = "the rest";
  const auto rating = rating::rate(rubric, small_checks(), {verdict("security.a", "node/n1", "pass")}, {});
  EXPECT_EQ(item_of(rating, "security.a").score, (Interval{0.5, 1}));
  EXPECT_EQ(item_of(rating, "security.a").status, Status::unknown);
  EXPECT_EQ(gate_of(rating, "gate-a").status, Status::unknown);
  EXPECT_EQ(closing(rating, "security.a"), "later");
}

TEST(ItemScore, SaysWhatWouldCloseIt) {
  EXPECT_EQ(closing(rated({}), "security.c"), "run run");
  EXPECT_EQ(closing(rated({}), "lifecycle.d"), "ask");
  EXPECT_EQ(closing(rated({verdict("security.a", "node/n1", "unknown")}), "security.a"), "look");
  Verdict hidden = verdict("security.b2", "node/n1", "unknown");
  EXPECT_EQ(closing(rated({hidden}), "security.b"), "look") << "it isn't hidden: root would see no more";
  hidden.hidden = true;
  EXPECT_EQ(closing(rated({verdict("security.b", "node/n1", "unknown"), hidden}), "security.b"), "root");
  EXPECT_EQ(closing(rated({verdict("lifecycle.f", "node/n1", "unknown")}), "lifecycle.f"), "look");
  // Where no check looks, asking is nearer than waiting; where nobody can be asked, there is only waiting.
  const auto without_checks = rating::rate(small_rubric(), {}, {}, {});
  EXPECT_EQ(closing(without_checks, "lifecycle.f"), "ask");
  EXPECT_EQ(closing(without_checks, "security.c"), "later later");
}

TEST(Schedulers, AreLeftOutByAPositiveReasonOnly) {
  EXPECT_EQ(item("lifecycle.i", {}).status, Status::unknown);
  // The other scheduler's presence alone says nothing.
  EXPECT_EQ(item("lifecycle.i", {verdict("lifecycle.h", "", "pass")}).status, Status::unknown);
  // Nor does this one's absence, where no other is known to run.
  EXPECT_EQ(item("lifecycle.i", {verdict("lifecycle.g", "", "not_applicable")}).status, Status::unknown);
  const auto gone =
      item("lifecycle.i", {verdict("lifecycle.h", "", "pass"), verdict("lifecycle.g", "", "not_applicable")});
  EXPECT_EQ(gone.status, Status::not_applicable);
  EXPECT_EQ(gone.note, "slurm runs here, and cluster/c: because not_applicable");
}

TEST(Schedulers, TheProviderFileMayLeaveOneOutButNotWhatIsSeenOfIt) {
  Answers answers;
  answers.schedulers = {"slurm"};
  EXPECT_EQ(item("lifecycle.i", {}, answers).status, Status::not_applicable);
  EXPECT_EQ(item("lifecycle.g", {}, answers).status, Status::not_applicable);
  EXPECT_EQ(item("lifecycle.g", {verdict("lifecycle.g", "", "fail")}, answers).status, Status::fail);
  // A look that saw nothing isn't a reason to leave the item out.
  EXPECT_EQ(item("lifecycle.g", {verdict("lifecycle.g", "", "unknown")}, answers).status, Status::unknown);
}

}  // namespace
}  // namespace assay::testing
