#include "app/catalogue.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/docs.hpp"
#include "app/explain.hpp"
#include "schema.hpp"
#include "testing.hpp"

namespace assay::testing {
namespace {

using ::testing::HasSubstr;

const app::Catalogue& catalogue() {
  static const auto held = app::load_catalogue();
  if (!held) throw std::runtime_error(held.error().message());
  return *held;
}

std::string explained(const std::string& id) {
  const auto json = app::explain(catalogue(), id);
  return json ? app::explain_text(*json) : json.error().message();
}

TEST(Docs, CommittedPagesAreCurrent) {
  for (const auto& [name, content] : app::generated_pages(catalogue()))
    EXPECT_TRUE(read_file(std::string(ASSAY_SOURCE_DIR) + "/docs/" + name) == content)
        << "docs/" << name << " is out of date: run `build/dev/src/assay docs docs`";
}

TEST(Checks, ListFollowsItsSchema) {
  const auto json = nlohmann::json::parse(app::checks_json(catalogue()).dump());
  EXPECT_EQ(breaks_schema("checks.schema.json", json), "");
  EXPECT_EQ(json["checks"].size(), catalogue().checks.size());
}

TEST(Catalogue, BadRatingFilesAreRefusedBeforeAnythingIsDone) {
  TemporaryFolder folder;
  folder.write("provider.yaml", "provider: acme\nanswers:\n  security.nothing-such: {answer: yes}\n");
  const auto bad_answers = app::load_catalogue({{}, folder.string() + "/provider.yaml"});
  ASSERT_FALSE(bad_answers);
  EXPECT_THAT(bad_answers.error().message(), HasSubstr("provider.yaml:3"));
  const auto no_rubric = app::load_catalogue({folder.string() + "/none.yaml", {}});
  ASSERT_FALSE(no_rubric);
  EXPECT_THAT(no_rubric.error().message(), HasSubstr("none.yaml"));
}

TEST(Explain, TellsOfACheckItsLogicAndItem) {
  const std::string text = explained("security.kernel-running-is-installed");
  EXPECT_THAT(text, HasSubstr("kind            check\n"));
  EXPECT_THAT(text, HasSubstr("code: src/judge/checks/kernel.cpp"));
  EXPECT_THAT(text, HasSubstr("https://"));
}

TEST(Explain, TellsOfAnItemAndACriterion) {
  const std::string item = explained("security.attestation-soc2");
  EXPECT_THAT(item, HasSubstr("asked in the provider file"));
  EXPECT_THAT(item, HasSubstr("attested: nobody outside"));
  EXPECT_THAT(explained("networking"), HasSubstr("weight          14"));
}

TEST(Explain, AnUnknownIdNamesNearOnes) {
  EXPECT_THAT(explained("networking.bmc-unreachable"), HasSubstr("near it: security.bmc-unreachable"));
  EXPECT_THAT(explained(""), HasSubstr("got nothing"));
}

TEST(Explain, TellsOfEveryCheckAndItem) {
  for (const catalog::Check& check : catalogue().checks) EXPECT_THAT(explained(check.id), HasSubstr(check.title));
  for (const catalog::Served& served : catalogue().served) EXPECT_THAT(explained(served.item->id), HasSubstr("kind"));
}

}  // namespace
}  // namespace assay::testing
