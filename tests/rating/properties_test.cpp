// What holds for every cluster: verdicts and answers are drawn at random over the small rubric.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "rating/json.hpp"
#include "scene.hpp"

namespace assay::testing {
namespace {

using catalog::Answer;
using catalog::Answers;
using rating::Rating;

constexpr double kRounding = 1e-9;

rc::Gen<Status> any_status() {
  return rc::gen::weightedElement<Status>(
      {{4, Status::pass}, {1, Status::warn}, {2, Status::fail}, {4, Status::unknown}, {1, Status::not_applicable}});
}

std::vector<Verdict> any_verdicts() {
  std::vector<Verdict> verdicts;
  for (const catalog::Check& check : small_checks())
    for (const char* subject : {"", "node/n1", "node/n2/gpu/0", "node/n2/gpu/1", "node/n3"})
      if (*rc::gen::arbitrary<bool>())
        verdicts.push_back(verdict(check.id, subject, std::string(name_of(*any_status()))));
  return verdicts;
}

Answers any_answers() {
  Answers answers;
  using Names = std::vector<std::string>;
  answers.schedulers = *rc::gen::element(Names{}, Names{"slurm"}, Names{"kubernetes"}, Names{"slurm", "kubernetes"});
  for (const char* id : {"lifecycle.d", "lifecycle.f", "lifecycle.i"})
    if (*rc::gen::arbitrary<bool>())
      answers.by_item[id] = answer(*rc::gen::element(Answer::Word::yes, Answer::Word::no, Answer::Word::partly),
                                   *rc::gen::arbitrary<bool>());
  return answers;
}

// An answer may be contradicted by what is seen later, so what it stands in for isn't drawn.
void drop_answered(std::vector<Verdict>& verdicts, const Answers& answers) {
  if (answers.by_item.contains("lifecycle.f"))
    std::erase_if(verdicts, [](const Verdict& v) { return v.check == "lifecycle.f"; });
}

void complete(std::vector<Verdict>& verdicts, const rc::Gen<Status>& with) {
  for (Verdict& each : verdicts)
    if (each.status == Status::unknown) each.status = *with;
}

bool all(const Rating& rating, bool (*holds)(const rating::ItemScore&)) {
  for (const auto& criterion : rating.criteria)
    if (!std::all_of(criterion.items.begin(), criterion.items.end(), holds)) return false;
  return true;
}

TEST(RatingProperties, EveryScoreIsAnIntervalAndWhatIsSeenIsNoMoreThanItsNarrowness) {
  EXPECT_TRUE(rc::check("intervals", [] {
    const Rating rating = rated(any_verdicts(), any_answers());
    RC_ASSERT(0 <= rating.score.low && rating.score.low <= rating.score.high && rating.score.high <= 1);
    RC_ASSERT(rating.seen <= 1 - rating.score.width() + kRounding);
    RC_ASSERT(all(rating, [](const rating::ItemScore& item) {
      return item.status == Status::not_applicable || item.seen <= 1 - item.score.width() + kRounding;
    }));
  }));
}

TEST(RatingProperties, TheIntervalContainsEveryCompletion) {
  EXPECT_TRUE(rc::check("completions", [] {
    const Answers answers = any_answers();
    std::vector<Verdict> verdicts = any_verdicts();
    drop_answered(verdicts, answers);
    const Rating before = rated(verdicts, answers);
    complete(verdicts, any_status());
    const Rating after = rated(verdicts, answers);
    RC_ASSERT(before.score.low <= after.score.low + kRounding);
    RC_ASSERT(after.score.high <= before.score.high + kRounding);
  }));
}

TEST(RatingProperties, APassNeverLowersAndAFailureNeverRaises) {
  EXPECT_TRUE(rc::check("monotone", [] {
    const Answers answers = any_answers();
    std::vector<Verdict> verdicts = any_verdicts();
    drop_answered(verdicts, answers);
    RC_PRE(!verdicts.empty());
    const auto at = *rc::gen::inRange<std::size_t>(0, verdicts.size());
    RC_PRE(verdicts[at].status != Status::not_applicable);
    const auto with = [&](Status status) {
      verdicts[at].status = status;
      return rated(verdicts, answers).score;
    };
    const auto failed = with(Status::fail), warned = with(Status::warn), passed = with(Status::pass);
    const auto unknown = with(Status::unknown);
    RC_ASSERT(unknown.low <= passed.low + kRounding);
    RC_ASSERT(failed.high <= unknown.high + kRounding);
    RC_ASSERT(failed.low <= warned.low + kRounding && warned.low <= passed.low + kRounding);
    RC_ASSERT(failed.high <= warned.high + kRounding && warned.high <= passed.high + kRounding);
  }));
}

TEST(RatingProperties, GatesAreNeverAveragedAway) {
  EXPECT_TRUE(rc::check("gates", [] {
    std::vector<Verdict> verdicts = any_verdicts();
    for (int i = 10; i < *rc::gen::inRange(10, 60); ++i)
      verdicts.push_back(verdict("security.a", "node/n" + std::to_string(i), "pass"));
    verdicts.insert(verdicts.begin() + *rc::gen::inRange<long>(0, static_cast<long>(verdicts.size()) + 1),
                    verdict("security.a", "node/n9/gpu/7", "fail"));
    const Rating rating = rated(verdicts, any_answers());
    RC_ASSERT(gate_of(rating, "gate-a").status == Status::fail);
    RC_ASSERT(rating.tier == "Lead" && rating.tier_high == "Lead");
  }));
}

TEST(RatingProperties, NoTierWhileAGateIsOpenOrTooLittleIsSeen) {
  EXPECT_TRUE(rc::check("no tier", [] {
    const Rating rating = rated(any_verdicts(), any_answers());
    const Status gate = gate_of(rating, "gate-a").status;
    const bool named = gate == Status::fail || (gate != Status::unknown && rating.seen >= rating.minimum);
    RC_ASSERT(rating.tier.empty() == !named);
  }));
}

TEST(RatingProperties, ClosingsAddUpToTheWidth) {
  EXPECT_TRUE(rc::check("closings", [] {
    const Rating rating = rated(any_verdicts(), any_answers());
    RC_PRE(rating.criteria[0].applies || rating.criteria[1].applies);
    double width = 0;
    for (const rating::Closing& closing : rating.closes) width += closing.width;
    RC_ASSERT(std::abs(width - rating.score.width()) < kRounding);
  }));
}

TEST(RatingProperties, TheOrderOfVerdictsDoesNotMatter) {
  EXPECT_TRUE(rc::check("order", [] {
    std::vector<Verdict> verdicts = any_verdicts();
    const Answers answers = any_answers();
    const Rating one = rated(verdicts, answers);
    RC_ASSERT(rating::to_json(one).dump() == rating::to_json(rated(verdicts, answers)).dump());
    std::reverse(verdicts.begin(), verdicts.end());
    const Rating other = rated(verdicts, answers);
    RC_ASSERT(std::abs(one.score.low - other.score.low) < kRounding);
    RC_ASSERT(std::abs(one.score.high - other.score.high) < kRounding);
    RC_ASSERT(one.tier == other.tier);
  }));
}

}  // namespace
}  // namespace assay::testing
