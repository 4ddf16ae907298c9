#include "judge/rule.hpp"

#include <gmock/gmock.h>

#include "judging.hpp"

namespace assay::testing {
namespace {

using catalog::Condition;
using judge::meets;
using ::testing::HasSubstr;

// ---- what a condition says of a value

TEST(Meets, OneOfComparesWordsWithoutCase) {
  Condition condition;
  condition.one_of = {"on", "true", "0"};
  EXPECT_EQ(meets(Value("ON"), condition), true);
  EXPECT_EQ(meets(Value("off"), condition), false);
  EXPECT_EQ(meets(Value(true), condition), true);
  EXPECT_EQ(meets(Value(std::int64_t{0}), condition), true);
  EXPECT_EQ(meets(Value(std::int64_t{1}), condition), false);
}

TEST(Meets, NoneOfRefusesWhatIsNamed) {
  Condition condition;
  condition.none_of = {"none", "off"};
  EXPECT_EQ(meets(Value("Off"), condition), false);
  EXPECT_EQ(meets(Value("strict"), condition), true);
}

TEST(Meets, BoundsHoldAtTheirEnds) {
  Condition condition;
  condition.at_least = 1;
  condition.at_most = 2;
  for (const double inside : {1.0, 1.5, 2.0}) EXPECT_EQ(meets(Value(inside), condition), true) << inside;
  for (const double outside : {0.9, 2.1, -1.0}) EXPECT_EQ(meets(Value(outside), condition), false) << outside;
  EXPECT_EQ(meets(Value(std::int64_t{2}), condition), true);
  condition.at_most.reset();
  EXPECT_EQ(meets(Value(std::int64_t{900}), condition), true);
}

TEST(Meets, NoBitsLooksAtThoseBitsOnly) {
  Condition condition;
  condition.no_bits = 0022;
  EXPECT_EQ(meets(Value(std::int64_t{0755}), condition), true);
  EXPECT_EQ(meets(Value(std::int64_t{0775}), condition), false);
  EXPECT_EQ(meets(Value(std::int64_t{0757}), condition), false);
}

TEST(Meets, ANumberIsNotReadOutOfAnotherType) {
  Condition bounds;
  bounds.at_most = 5;
  Condition bits;
  bits.no_bits = 1;
  for (const Value& value : {Value("3"), Value(true), Value(TextList{"3"}), Value(Record{{"a", "3"}})}) {
    EXPECT_EQ(meets(value, bounds), std::nullopt) << to_text(value);
    EXPECT_EQ(meets(value, bits), std::nullopt) << to_text(value);
  }
  EXPECT_EQ(meets(Value(2.0), bits), std::nullopt);
}

TEST(Meets, ListsAndRecordsAreNoSingleValue) {
  Condition equals;
  equals.one_of = {"0", ""};
  Condition none_of;
  none_of.none_of = {"1"};
  for (const Value& value : {Value(TextList{"0"}), Value(TextList{}), Value(Record{{"a", "0"}}), Value(Record{})}) {
    EXPECT_EQ(meets(value, equals), std::nullopt) << to_text(value);
    EXPECT_EQ(meets(value, none_of), std::nullopt) << to_text(value);
  }
}

TEST(Rule, AValueThatCanNotBeComparedIsUnknown) {
  constexpr auto kShown = "monitoring.kernel-log-shown";
  const std::string name = check_named(kShown).rule->observation;
  EXPECT_EQ(status_of(kShown, {seen("cluster/c/node/n1", name, std::int64_t{0})}, "node/n1"), "pass");
  EXPECT_EQ(status_of(kShown, {seen("cluster/c/node/n1", name, TextList{"0"})}, "node/n1"), "unknown");
  EXPECT_EQ(status_of(kShown, {seen("cluster/c/node/n1", name, Record{{"0", ""}})}, "node/n1"), "unknown");
}

// ---- how a rule is written

std::string error_of(const std::string& for_each) {
  const auto check = catalog::parse_check("security.x",
                                          R"(
title: t
item: security.x
phase: audit
severity: low
privilege: none
scope: node
expected: e
why: w
fix: f
references: [https://example.org]
rule:
  observation: os.id
  pass: {equals: debian}
  for_each: )" + for_each + "\n",
                                          "x.yaml");
  return check ? "<none>" : check.error().message();
}

TEST(Rule, ForEachIsAKindOfSubject) {
  for (const char* kind : {"node", "host", "cluster", "slurm-node", "nvme0"}) EXPECT_EQ(error_of(kind), "<none>");
  for (const char* bad : {"Node", "gpu/0", "a--b", "-a", "a-", "9x", "\"two words\"", "näh", "\"*\""})
    EXPECT_THAT(error_of(bad), HasSubstr("for_each")) << bad;
}

}  // namespace
}  // namespace assay::testing
