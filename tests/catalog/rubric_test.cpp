#include "catalog/rubric.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>

#include "catalog/coverage.hpp"
#include "schema.hpp"
#include "testing.hpp"
#include "yaml_json.hpp"

namespace assay::testing {
namespace {

using ::testing::HasSubstr;

const std::string kFile = std::string(ASSAY_SOURCE_DIR) + "/data/rubrics/managed-cluster.yaml";

const catalog::Rubric& shipped() {
  static const auto rubric = catalog::load_rubric(kFile);
  if (!rubric) throw std::runtime_error(rubric.error().message());
  return *rubric;
}

const std::string kSmall = R"(
id: small
version: 2
date: 2026-12-01
title: Small
scope: For tests.
values: {pass: 1, warn: 0.5, fail: 0}
claim: 0.25
evidence: {minimum: 0.6, why: for tests}
tiers:
  - {name: Gold, at_least: 0.8, why: good}
  - {name: Lead, at_least: 0, why: bad}
unavailable: {name: None, why: not there}
gates:
  - {id: g, any_of: [security.a], why: bad}
criteria:
  - id: security
    title: Security
    weight: 10
    why: for tests
    items:
      - {id: a, title: A, how: audit}
      - {id: b, title: B, how: [bench, asked], weight: 2, question: "B?", value: {unit: min, at_most: 15}}
)";

std::string with(const std::string& from, const std::string& to) {
  std::string text = kSmall;
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string error_of(const std::string& yaml) {
  const auto rubric = catalog::parse_rubric(yaml, "small.yaml");
  return rubric ? "<none>" : rubric.error().message();
}

TEST(Rubric, ReadsWhatIsWritten) {
  const auto rubric = catalog::parse_rubric(kSmall, "small.yaml");
  ASSERT_TRUE(rubric) << rubric.error().message();
  EXPECT_EQ(rubric->name(), "small/2");
  EXPECT_TRUE(rubric->find("security.a")->critical);
  const catalog::Item& b = *rubric->find("security.b");
  EXPECT_FALSE(b.critical);
  EXPECT_EQ(b.weight, 2);
  EXPECT_EQ(b.how, (std::vector{catalog::Way::bench, catalog::Way::asked}));
  EXPECT_EQ(b.value->at_most, 15);
  EXPECT_EQ(rubric->find("security.c"), nullptr);
}

TEST(Rubric, RefusesWithFileAndLine) {
  EXPECT_THAT(error_of(with("how: audit}", "how: guess}")), HasSubstr("got guess (small.yaml:22)"));
  EXPECT_THAT(error_of(with("weight: 2,", "weigth: 2,")), HasSubstr("got weigth (small.yaml:23)"));
  EXPECT_THAT(error_of(with("weight: 2,", "weight: 4,")), HasSubstr("a number from 1 to 3"));
  EXPECT_THAT(error_of(with("[security.a]", "[security.z]")), HasSubstr("got security.z (small.yaml:15)"));
  EXPECT_THAT(error_of(with("[security.a], ", "[security.a], always: true, ")), HasSubstr("items that can be asked"));
  EXPECT_THAT(error_of(with("[security.a], ", "[security.a], always: 1, ")), HasSubstr("true or false"));
  EXPECT_THAT(error_of(with("question: \"B?\", ", "")), HasSubstr("a question"));
  EXPECT_THAT(error_of(with("id: b", "id: a")), HasSubstr("security.a twice"));
  EXPECT_THAT(error_of(with("at_least: 0,", "at_least: 0.9,")), HasSubstr("best first"));
  EXPECT_THAT(error_of(with("claim: 0.25", "claim: 1.25")), HasSubstr("from 0 to 1"));
  EXPECT_THAT(error_of(with("minimum: 0.6, ", "")), HasSubstr("got none"));
  EXPECT_THAT(error_of(with("claim: 0.25", "claim: 0.25\nclaim: 0.5")), HasSubstr("claim twice (small.yaml:9)"));
  EXPECT_THAT(error_of(with("how: audit}", "how: {a: b}}")), HasSubstr("a list of texts"));
  EXPECT_THAT(error_of("- a list"), HasSubstr("a mapping"));
  EXPECT_THAT(error_of("id: [unclosed"), HasSubstr("expected YAML"));
}

TEST(ShippedRubric, CarriesTheWholeListAndFollowsItsSchema) {
  std::size_t items = 0;
  double weights = 0;
  for (const catalog::Criterion& criterion : shipped().criteria) {
    items += criterion.items.size();
    weights += criterion.weight;
  }
  EXPECT_EQ(shipped().criteria.size(), 10u);
  EXPECT_EQ(items, 227u);
  EXPECT_EQ(weights, 100);
  EXPECT_EQ(breaks_schema("rubric.schema.json", json_of_yaml(read_file(kFile))), "");
}

// The minimum is where it is so that a tier tells of the cluster: below it no medal could be earned even by a flawless
// one.
TEST(ShippedRubric, MinimumIsWhereTheLowestMedalBegins) {
  const auto& tiers = shipped().tiers;
  ASSERT_EQ(tiers.size(), 6u);
  EXPECT_EQ(tiers[3].name, "Bronze");
  EXPECT_EQ(tiers[3].at_least, shipped().minimum_evidence);
}

TEST(ShippedRubric, EveryCheckServesAnItemByAWayTheRubricKnows) {
  const auto checks = catalog::load_checks(std::string(ASSAY_SOURCE_DIR) + "/data/checks");
  ASSERT_TRUE(checks) << checks.error().message();
  const auto served = catalog::coverage(shipped(), *checks);
  ASSERT_TRUE(served) << served.error().message();
  EXPECT_EQ(served->size(), 227u);
  // Every item is served by a check, by a question, or told to wait for a later phase.
  for (const catalog::Served& each : *served)
    EXPECT_TRUE(!each.checks.empty() || each.item->answerable() || !each.later.empty()) << each.item->id;
}

TEST(Coverage, RefusesChecksOfUnknownItemsAndWays) {
  catalog::Check check;
  check.id = "security.x";
  check.item = "security.nothing-such";
  check.phase = "audit";
  auto served = catalog::coverage(shipped(), {check});
  ASSERT_FALSE(served);
  EXPECT_THAT(served.error().message(), HasSubstr("got security.nothing-such (check security.x)"));
  check.item = "security.driver-current";
  check.phase = "drill";
  served = catalog::coverage(shipped(), {check});
  ASSERT_FALSE(served);
  EXPECT_THAT(served.error().message(), HasSubstr("the rubric knows security.driver-current, got drill"));
}

}  // namespace
}  // namespace assay::testing
