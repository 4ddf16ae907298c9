#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>

#include "advisory/feed.hpp"

namespace assay::advisory {
namespace {

std::string tracker(const std::string& releases, const std::string& id = "CVE-2025-31133") {
  return R"({"runc": {")" + id + R"(": {"description": "a mount race", "scope": "local", "releases": {)" + releases +
         "}}}}";
}

std::string release(const std::string& codename, const std::string& members) {
  return "\"" + codename + R"(": {"repositories": {")" + codename + R"(": "1.1.5+ds1-1+deb12u1"}, )" + members + "}";
}

Batch read(const std::string& text) {
  EXPECT_NE(format_of(text), nullptr) << text;
  const auto batch = read_as("debian_tracker", text);
  EXPECT_TRUE(batch) << batch.error().message();
  return batch ? *batch : Batch{};
}

TEST(DebianTracker, EachStatusOfEachRelease) {
  const Batch batch = read(tracker(
      release("bookworm", R"("status": "open", "urgency": "not yet assigned", "nodsa": "Minor issue",
                             "nodsa_reason": "postponed")") +
      "," + release("trixie", R"("status": "resolved", "fixed_version": "1.1.15+ds1-2+deb13u1", "urgency": "low")") +
      "," + release("bullseye", R"("status": "resolved", "fixed_version": "0", "urgency": "unimportant")") + "," +
      release("forky", R"("status": "undetermined", "urgency": "end-of-life")") + "," +
      release("sid", R"("status": "resolved", "fixed_version": "1.3.3+ds1-1", "urgency": "low")")));
  ASSERT_EQ(batch.advisories.size(), 1);
  const Advisory& one = batch.advisories[0];
  EXPECT_EQ(one.id, "CVE-2025-31133");
  EXPECT_EQ(one.aliases, std::vector<std::string>{"CVE-2025-31133"});
  EXPECT_EQ(one.source, "debian");
  EXPECT_EQ(one.severity, Severity::low);
  EXPECT_EQ(one.url, "https://security-tracker.debian.org/tracker/CVE-2025-31133");
  ASSERT_EQ(one.affected.size(), 4);
  const Affected* bookworm = product(&one, "debian:12", "runc");
  EXPECT_EQ(spelled(bookworm->ranges), "..");
  EXPECT_EQ(bookworm->note, "no DSA: Minor issue; because: postponed");
  EXPECT_EQ(spelled(product(&one, "debian:13", "runc")->ranges), "..1.1.15+ds1-2+deb13u1");
  EXPECT_EQ(product(&one, "debian:11", "runc")->says, Affected::Says::not_affected);
  EXPECT_EQ(product(&one, "debian:11", "runc")->note, "urgency: unimportant");
  EXPECT_EQ(product(&one, "debian:14", "runc")->says, Affected::Says::undecided);
  EXPECT_EQ(batch.ranges, 5);
  EXPECT_EQ(batch.elsewhere, 1);
}

TEST(DebianTracker, OneCveOfManyPackagesIsOneRecord) {
  const std::string told = R"({"CVE-2025-1": {"releases": {)" + release("trixie", R"("status": "open")") + "}}}";
  const Batch batch = read(R"({"runc": )" + told + R"(, "runc-app": )" + told + "}");
  ASSERT_EQ(batch.advisories.size(), 1);
  EXPECT_EQ(batch.advisories[0].affected.size(), 2);
}

TEST(DebianTracker, WhatCantBeReadIsListedAndLeavesItOpen) {
  for (const auto* members :
       {R"("status": "mended")", R"("status": 5)", R"("urgency": "low")", R"("status": "resolved")",
        R"("status": "resolved", "fixed_version": "not a version!")", R"("status": "resolved", "fixed_version": 5)"}) {
    const Batch batch = read(tracker(release("bookworm", members) + R"(, "status": {})"));
    EXPECT_EQ(batch.refused.size(), 1) << members;
    ASSERT_EQ(batch.advisories.size(), 1) << members;
    EXPECT_EQ(batch.advisories[0].affected[0].says, Affected::Says::undecided) << members;
  }
  const auto refused = [](const std::string& text) { return read_as("debian_tracker", text)->refused.size(); };
  EXPECT_EQ(refused(R"({"runc": {"CVE-1": 5}})"), 1);
  EXPECT_EQ(refused(R"({"runc": {"CVE-1": {"releases": []}}})"), 1);
  EXPECT_EQ(refused(R"({"a b": {"CVE-1": {"releases": {}}}})"), 1);
  EXPECT_EQ(refused(R"({"runc": {"": {"releases": {}}}})"), 1);
  EXPECT_EQ(refused(R"({"runc": {"CVE-1": {"releases": {"bookworm": 5}}}})"), 1);
}

TEST(DebianTracker, WhatIsNoneIsRefusedWhole) {
  for (const std::string text : {"", "[]", "{", "5", R"({"runc": 5})", R"({"runc": []})"})
    EXPECT_FALSE(read_as("debian_tracker", text)) << text;
  const std::string whole = tracker(release("bookworm", R"("status": "open")"));
  for (std::size_t cut = 0; cut < whole.size(); cut += 5) EXPECT_FALSE(read_as("debian_tracker", whole.substr(0, cut)));
  EXPECT_FALSE(read_as("debian_tracker", tracker(R"("x": )" + std::string(1000, '[') + std::string(1000, ']'))));
}

// As large as the real one; each limit with room for a slow machine.
TEST(DebianTracker, TheWholeTrackerTakesSeconds) {
  std::string text = "{";
  const std::string description(250, 'd');
  for (int package = 0; text.size() < (70u << 20); ++package) {
    text += fmt::format("{}\"package-{}\": {{", package == 0 ? "" : ",", package);
    for (int cve = 0; cve < 20; ++cve) {
      text += fmt::format("{}\"CVE-2020-{}\": {{\"description\": \"{}\", \"scope\": \"remote\", \"releases\": {{",
                          cve == 0 ? "" : ",", 10000 + (package * 7 + cve) % 40000, description);
      const char* comma = "";
      for (const auto* codename : {"bullseye", "bookworm", "trixie", "forky", "sid"}) {
        text += comma + release(codename, R"("status": "resolved", "fixed_version": "1.2.3-4", "urgency": "low")");
        comma = ",";
      }
      text += "}}";
    }
    text += "}";
  }
  text += "}";
  const auto begun = std::chrono::steady_clock::now();
  const Batch batch = read(text);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  EXPECT_GT(batch.ranges, 300'000);
  EXPECT_LT(seconds, 5);
  RecordProperty("milliseconds", static_cast<int>(seconds * 1000));
}

}  // namespace
}  // namespace assay::advisory
