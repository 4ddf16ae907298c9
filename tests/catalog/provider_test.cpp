#include "catalog/provider.hpp"

#include <gmock/gmock.h>

#include "evidence/artifacts.hpp"
#include "testing.hpp"

namespace assay::testing {
namespace {

using ::testing::HasSubstr;

const catalog::Rubric& rubric() {
  static const auto held = catalog::load_rubric(std::string(ASSAY_SOURCE_DIR) + "/data/rubrics/managed-cluster.yaml");
  if (!held) throw std::runtime_error(held.error().message());
  return *held;
}

class Provider : public ::testing::Test {
 protected:
  Result<catalog::Answers> load(const std::string& yaml) {
    folder_.write("provider.yaml", yaml);
    return catalog::load_answers(folder_.path() / "provider.yaml", rubric());
  }
  std::string error_of(const std::string& answers) {
    const auto loaded = load("provider: acme\nanswers:\n" + answers);
    return loaded ? "<none>" : loaded.error().message();
  }
  TemporaryFolder folder_;
};

TEST_F(Provider, ReadsAnswersWithAndWithoutDocuments) {
  folder_.write("soc2.pdf", "a report");
  const auto answers = load(R"(
provider: acme
schedulers: [slurm]
answers:
  security.attestation-soc2:
    answer: yes
    by: Jo Doe
    date: 2026-11-30
    document: {title: SOC 2, date: 2026-03-01, file: soc2.pdf}
  security.patch-process: {answer: partly, by: Jo Doe, date: 2026-11-30}
  reliability.sla-node: {answer: value, value: 99.95, by: Jo Doe, date: 2026-11-30}
  lifecycle.create-time: {answer: unanswered}
)");
  ASSERT_TRUE(answers) << answers.error().message();
  EXPECT_EQ(answers->provider, "acme");
  EXPECT_EQ(answers->schedulers, std::vector<std::string>{"slurm"});
  EXPECT_FALSE(answers->unavailable);
  EXPECT_EQ(answers->by_item.size(), 3u);
  const catalog::Answer& soc2 = answers->by_item.at("security.attestation-soc2");
  EXPECT_EQ(soc2.word, catalog::Answer::Word::yes);
  EXPECT_EQ(soc2.document->sha256, artifacts::sha256("a report"));
  EXPECT_FALSE(answers->by_item.at("security.patch-process").document);
  EXPECT_EQ(answers->by_item.at("reliability.sla-node").value, 99.95);
}

TEST_F(Provider, TellsOfAProviderWithoutACluster) {
  const auto answers = load("provider: acme\noffered: {answer: no, by: Jo, date: 2026-11-30}\n");
  ASSERT_TRUE(answers) << answers.error().message();
  EXPECT_TRUE(answers->unavailable);
}

TEST_F(Provider, RefusesWithFileAndLine) {
  EXPECT_THAT(error_of("  security.attestation-soc3: {answer: yes}"), HasSubstr("provider.yaml:3"));
  EXPECT_THAT(error_of("  security.driver-current: {answer: yes}"), HasSubstr("only seen on machines"));
  EXPECT_THAT(error_of("  security.patch-process: {answer: maybe, by: x, date: 2026-11-30}"), HasSubstr("got maybe"));
  EXPECT_THAT(error_of("  security.patch-process: {answer: yes, date: 2026-11-30}"), HasSubstr("\"by\""));
  EXPECT_THAT(error_of("  security.patch-process: {answer: yes, by: x, date: 30.11.2026}"), HasSubstr("a date like"));
  EXPECT_THAT(error_of("  security.patch-process: {answer: yes, by: x, date: 2026-02-30}"), HasSubstr("a date like"));
  EXPECT_THAT(error_of("  security.patch-process: {answer: yes, by: x, date: 2026-11-30, sure: yes}"),
              HasSubstr("got sure"));
  EXPECT_THAT(error_of("  security.patch-process: {answer: value, value: 3, by: x, date: 2026-11-30}"),
              HasSubstr("this item has no value"));
  EXPECT_THAT(error_of("  reliability.sla-node: {answer: value, value: 99.9 %, by: x, date: 2026-11-30}"),
              HasSubstr("a number"));
  EXPECT_THAT(error_of("  security.attestation-soc2: {answer: partly, by: x, date: 2026-11-30}"),
              HasSubstr("yes or no, since a failure of this item disqualifies"));
  EXPECT_THAT(error_of("  security.patch-process: {answer: unanswered, bye: x}"), HasSubstr("got bye"));
  EXPECT_THAT(
      error_of("  security.patch-process: {answer: unanswered}\n  security.patch-process: {answer: unanswered}"),
      HasSubstr("security.patch-process twice"));
  EXPECT_THAT(error_of("  [yes]"), HasSubstr("a mapping"));
}

TEST_F(Provider, ADocumentThatIsNotThereOrIsAnotherIsRefused) {
  const auto answer = [](const std::string& document) {
    return "  security.patch-process: {answer: yes, by: x, date: 2026-11-30, document: " + document + "}";
  };
  EXPECT_THAT(error_of(answer("{title: P, date: 2026-01-01, file: gone.pdf}")),
              HasSubstr("gone.pdf: No such file or directory"));
  folder_.write("p.pdf", "text");
  EXPECT_THAT(error_of(answer("{title: P, date: 2026-01-01, file: p.pdf, sha256: 00ff}")), HasSubstr("got 00ff"));
  EXPECT_THAT(error_of(answer("{title: P, date: 2026-12-01, file: p.pdf}")), HasSubstr("isn't younger"));
  EXPECT_THAT(error_of(answer("{title: P, date: 2026-01-01, file: .}")), HasSubstr(".: a folder or a device"));
  EXPECT_EQ(error_of(answer("{title: P, date: 2026-01-01, file: p.pdf}")), "<none>");
}

TEST_F(Provider, TheTemplateLoadsAndAnswersNothing) {
  const std::string page = catalog::provider_template(rubric());
  const auto answers = load(page);
  ASSERT_TRUE(answers) << answers.error().message();
  EXPECT_TRUE(answers->by_item.empty());
  for (const catalog::Criterion& criterion : rubric().criteria)
    for (const catalog::Item& item : criterion.items)
      EXPECT_EQ(page.find("\n  " + item.id + ":\n") != std::string::npos, item.answerable()) << item.id;
}

}  // namespace
}  // namespace assay::testing
