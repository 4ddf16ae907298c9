#include "rating/rating.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "rating/json.hpp"
#include "scene.hpp"
#include "schema.hpp"

namespace assay::testing {
namespace {

using catalog::Answer;
using catalog::Answers;
using ::testing::HasSubstr;

// Everything seen and sound, of both schedulers.
std::vector<Verdict> sound() {
  std::vector<Verdict> verdicts;
  for (const catalog::Check& check : small_checks()) verdicts.push_back(verdict(check.id, "node/n1", "pass"));
  return verdicts;
}

Answers all_answered() {
  Answers answers;
  for (const char* id : {"lifecycle.d", "lifecycle.i"}) answers.by_item[id] = answer(Answer::Word::yes, true);
  answers.by_item["lifecycle.e"] = answer(Answer::Word::value, true, 10);
  return answers;
}

std::vector<Verdict> sound_but(const std::string& check, const std::string& status) {
  auto verdicts = sound();
  for (Verdict& each : verdicts)
    if (each.check == check) each = verdict(check, "node/n1", status);
  return verdicts;
}

TEST(Rating, AFlawlessClusterHasTheBestTier) {
  const auto rating = rated(sound(), all_answered());
  EXPECT_EQ(rating.score, rating::exactly(1));
  EXPECT_EQ(rating.seen, 1);
  EXPECT_EQ(rating.tier, "Gold");
  EXPECT_TRUE(rating.closes.empty());
}

TEST(Rating, NothingSeenNamesNoTierAndSaysWhatWouldCloseIt) {
  const auto rating = rated({});
  EXPECT_EQ(rating.score, rating::kUnknown);
  EXPECT_EQ(rating.tier, "");
  EXPECT_EQ(rating.tier_low, "Lead");
  EXPECT_EQ(rating.tier_high, "Gold");
  EXPECT_THAT(rating.summary, HasSubstr("0 % of the evidence where 60 % is needed; open gates: gate-a"));
  ASSERT_FALSE(rating.closes.empty());
  EXPECT_EQ(rating.closes.front().item, "security.a");  // decides a gate, so first, though others are wider
  EXPECT_TRUE(rating.closes.front().gate);
  double width = 0;
  for (const auto& closing : rating.closes) width += closing.width;
  EXPECT_NEAR(width, rating.score.width(), 1e-12);
}

TEST(Rating, AFailedGateDisqualifiesWhateverTheScore) {
  auto verdicts = sound();
  for (int i = 2; i <= 100; ++i) verdicts.push_back(verdict("security.a", "node/n" + std::to_string(i), "pass"));
  verdicts.push_back(verdict("security.a", "node/n101/gpu/3", "fail"));
  const auto rating = rated(verdicts, all_answered());
  EXPECT_GT(rating.score.low, 0.99);
  EXPECT_EQ(gate_of(rating, "gate-a").status, Status::fail);
  EXPECT_EQ(rating.tier, "Lead");
  EXPECT_EQ(rating.tier_high, "Lead");
  EXPECT_EQ(rating.summary, "Lead: a gate failed (gate-a)");
}

TEST(Rating, AFailedGateIsToldEvenWhenLittleWasSeen) {
  const auto rating = rated({verdict("security.a", "node/n1", "fail"), verdict("security.a", "node/n2", "unknown")});
  EXPECT_EQ(rating.tier, "Lead");
}

TEST(Rating, AnOpenGateNamesNoTier) {
  const auto rating = rated(sound_but("security.a", "unknown"), all_answered());
  EXPECT_GT(rating.seen, 0.8);
  EXPECT_EQ(rating.tier, "");
  EXPECT_EQ(gate_of(rating, "gate-a").status, Status::unknown);
}

TEST(Rating, TheTierIsThatOfTheLowEnd) {
  const auto rating = rated(sound_but("security.b2", "unknown"), all_answered());  // 3/4 × 2/4 of the score is open
  EXPECT_DOUBLE_EQ(rating.score.low, 0.625);
  EXPECT_EQ(rating.tier, "Silver");
  EXPECT_EQ(rating.tier_high, "Gold");
  ASSERT_EQ(rating.closes.size(), 1u);
  EXPECT_EQ(rating.closes[0].how, "look");
  EXPECT_THAT(rating.closes[0].words, HasSubstr("cluster/c/node/n1: because unknown"));
  EXPECT_DOUBLE_EQ(rating.closes[0].width, 0.375);
}

TEST(Rating, AClaimDoesNotCountAsSeen) {
  Answers claimed = all_answered();
  for (auto& [id, each] : claimed.by_item) each.document.reset();
  const auto rating = rated(sound(), claimed);
  EXPECT_LT(rating.seen, 1);
  EXPECT_EQ(rating.closes.front().how, "document");
}

TEST(Rating, AnItemLeftOutShiftsItsWeightToTheRest) {
  const auto rating = rated(sound_but("security.b", "not_applicable"), all_answered());
  EXPECT_EQ(rating.score, rating::exactly(1));
}

TEST(Rating, ACriterionWithoutItemsIsLeftOut) {
  const auto verdicts = [&] {
    std::vector<Verdict> all;
    for (const char* check : {"security.a", "security.b", "security.b2", "security.c", "security.c-bench"})
      all.push_back(verdict(check, "node/n1", "not_applicable"));
    return all;
  }();
  const auto rating = rated(verdicts, all_answered());
  EXPECT_FALSE(rating.criteria[0].applies);
  EXPECT_EQ(gate_of(rating, "gate-a").status, Status::not_applicable);
  EXPECT_EQ(rating.score.high, 1);
  EXPECT_DOUBLE_EQ(rating.score.low, 0.5);  // d, e and i of six
}

TEST(Rating, AProviderWithoutAClusterIsUnavailable) {
  Answers answers;
  answers.unavailable = true;
  EXPECT_EQ(rated({}, answers).tier, "None");
}

TEST(RatingJson, FollowsItsSchema) {
  for (const auto& rating : {rated({}), rated(sound(), all_answered()), rated(sound_but("security.a", "fail"))}) {
    const nlohmann::json json = nlohmann::json::parse(rating::to_json(rating).dump());
    EXPECT_EQ(breaks_schema("rating.schema.json", json), "");
    auto broken = json;
    broken["score"]["low"] = 1.5;
    EXPECT_NE(breaks_schema("rating.schema.json", broken), "");
    broken = json;
    broken["gates"][0].erase("status");
    EXPECT_NE(breaks_schema("rating.schema.json", broken), "");
  }
}

}  // namespace
}  // namespace assay::testing
