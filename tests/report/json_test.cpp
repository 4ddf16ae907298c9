#include "report/json.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/packed.hpp"
#include "sample.hpp"
#include "schema.hpp"
#include "testing.hpp"

namespace assay::testing {
namespace {

using nlohmann::json;

std::string complaints(const json& document) { return breaks_schema("report.schema.json", document); }

json parsed(const report::Report& report) { return json::parse(report::to_json_text(report)); }

TEST(ReportJson, FollowsItsSchema) {
  for (const SampleOptions& options :
       {SampleOptions{}, SampleOptions{true, 3, ""}, SampleOptions{false, 4, "<\xff\x1b[31m\u202e\"'\n\0"}}) {
    const TemporaryFolder folder;
    const auto report = sample_report(folder.path() / "run", options);
    EXPECT_EQ(complaints(parsed(report)), "");
  }
}

TEST(ReportJson, TheSchemaRefusesWhatItShould) {
  const TemporaryFolder folder;
  const json good = parsed(sample_report(folder.path() / "run"));
  for (const char* patch :
       {R"([{"op":"remove","path":"/verdicts/0/why"}])",
        R"([{"op":"replace","path":"/verdicts/0/status","value":"ok"}])",
        R"([{"op":"replace","path":"/absent/0/reason","value":"dunno"}])",
        R"([{"op":"add","path":"/extra","value":1}])", R"([{"op":"remove","path":"/run/complete"}])"})
    EXPECT_NE(complaints(good.patch(json::parse(patch))), "") << patch;
}

TEST(ReportJson, IsTheSameEveryTime) {
  const TemporaryFolder folder;
  const auto first = sample_report(folder.path() / "run");
  const auto store = Store::open_for_reading(folder.path() / "run");
  ASSERT_TRUE(store);
  const auto second = report::gather(*store, Snapshot(store->observations().value()), sample_checks(),
                                     store->verdicts().value(), sample_rating());
  ASSERT_TRUE(second);
  EXPECT_EQ(report::to_json_text(first), report::to_json_text(*second));
  EXPECT_EQ(report::to_packed_json(first), report::to_packed_json(*second));
}

TEST(ReportJson, EveryVerdictsEvidenceIsThere) {
  const TemporaryFolder folder;
  const json report = parsed(sample_report(folder.path() / "run"));
  ASSERT_FALSE(report["verdicts"].empty());
  for (const json& verdict : report["verdicts"]) {
    EXPECT_FALSE(verdict["evidence"].empty());
    for (const json& id : verdict["evidence"])
      EXPECT_TRUE(report["observations"].contains(std::to_string(id.get<std::int64_t>())));
    if (verdict["status"] == "fail")
      for (const json& id : verdict["evidence"]) {
        const json& observation = report["observations"][std::to_string(id.get<std::int64_t>())];
        EXPECT_TRUE(report["artifacts"].contains(observation["artifact"].get<std::string>()));
      }
  }
}

TEST(ReportJson, SaysWhatWasNotSeenHostsFirst) {
  const TemporaryFolder folder;
  const json report = parsed(sample_report(folder.path() / "run"));
  ASSERT_EQ(report["absent"].size(), 3u);
  EXPECT_EQ(report["absent"][0]["subject"], "cluster/acme/node/n4");
  EXPECT_EQ(report["absent"][1]["name"], "gpu");
  EXPECT_EQ(report["absent"][2]["where"], "n[1-3]");
  EXPECT_EQ(report["run"]["hosts"], json({{"planned", 4}, {"answered", 3}}));
}

TEST(ReportJson, RawOutputThatIsLostIsToldAndCostsNothingElse) {
  const TemporaryFolder folder;
  const json whole = parsed(sample_report(folder.path() / "run"));
  std::filesystem::remove_all(folder.path() / "run" / "artifacts");
  const auto store = Store::open_for_reading(folder.path() / "run");
  ASSERT_TRUE(store);
  const auto report = report::gather(*store, Snapshot(store->observations().value()), sample_checks(),
                                     store->verdicts().value(), sample_rating());
  ASSERT_TRUE(report);
  const json without = parsed(*report);
  EXPECT_EQ(complaints(without), "");
  EXPECT_EQ(without["verdicts"], whole["verdicts"]);
  std::size_t told = 0;
  for (const json& gap : without["absent"]) told += gap["of"] == "artifact" && gap["name"] == "raw output" ? 1 : 0;
  EXPECT_GT(told, 0u);
  ASSERT_FALSE(without["artifacts"].empty());
  for (const json& artifact : without["artifacts"]) EXPECT_EQ(artifact["lost"], "no such file");
}

TEST(ReportJson, NothingInItPaintsAScreen) {
  const TemporaryFolder folder;
  SampleOptions options;
  options.spice = " \u202e\u2066 ";
  const std::string text = report::to_json_text(sample_report(folder.path() / "run", options));
  EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return c == '\n' || (c >= ' ' && c < 0x7f); }));
  EXPECT_NE(text.find("\\u202e"), std::string::npos);
}

TEST(ReportJson, AStoppedRunIsNotComplete) {
  const TemporaryFolder folder;
  auto store =
      Store::create(folder.path() / "run", {{"cluster", "cluster/c"},
                                            {"started", "2026-12-01T03:00:00Z"},
                                            {"plan.json", R"([{"path":"cluster/c/node/n1"},{"path":7},"x"])"}});
  ASSERT_TRUE(store);
  const auto report = report::gather(*store, Snapshot({}), {}, {}, std::nullopt);
  ASSERT_TRUE(report);
  const json document = parsed(*report);
  EXPECT_EQ(complaints(document), "");
  EXPECT_EQ(document["run"]["complete"], false);
  EXPECT_EQ(document["absent"][0]["reason"], "unasked");
  EXPECT_TRUE(document["rating"].is_null());
}

}  // namespace
}  // namespace assay::testing
