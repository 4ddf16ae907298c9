#include "advisory/decide.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "testing.hpp"

namespace assay::advisory {
namespace {

using ::testing::HasSubstr;

constexpr const char* kRunc =
    "title: runc\nkind: container\nscheme: semver\ndpkg_sources: [runc, runc-app]\nrpm_names: [runc]\n"
    "go_modules: [example.org/runc, example.org/runc/v2]\nlines: runc\n";
constexpr const char* kFirmware =
    "title: firmware\nkind: firmware\nscheme: firmware\nmodels: {\"12\": cx4, \"28\": cx7}\n"
    "bulletins: [{name: ga, conditions: [device!=cx4]}, {name: lts, conditions: [device!=cx4]}, {name: old, "
    "conditions: "
    "[device=cx4]}]\n";
constexpr const char* kFloor = R"(date: 2026-08-22
advisories:
  - cves: [CVE-1]
    title: a way out
    severity: high
    published: 2025-11-05
    source: https://example.org/1
    fixed: [1.2.8, 1.3.3]
    distributions:
      debian:12: {package: runc, fixed: 1.1.5+ds1-1+deb12u1}
      ubuntu:24.04:
        - {package: runc, says: affected}
        - {package: runc-app, fixed: 1.3.3-0ubuntu1~24.04.2}
      almalinux:9: {package: runc, fixed: "4:1.2.5-3.el9_6"}
  - cves: [CVE-2]
    title: another
    severity: low
    source: https://example.org/2
    fixed: [1.3.6]
lines:
  - {product: runc, line: "1.2", ended: yes, end: 2025-12-01, source: https://example.org}
  - {product: runc, line: "1.3", end: 2026-12-20, latest: 1.3.6, source: https://example.org}
)";

class Decide : public ::testing::Test {
 protected:
  Knowledge knowledge(const std::vector<Advisory>& imported = {}, const std::vector<Exploited>& exploited = {}) {
    std::optional<Database> database;
    if (!imported.empty() || !exploited.empty()) {
      auto made = Database::create_or_open(folder_.path() / "a.db");
      Batch batch;
      batch.advisories = imported;
      batch.exploited = exploited;
      EXPECT_TRUE(made->begin() && made->add(batch) && made->commit("2026-11-30"));
      database.emplace(std::move(*made));
    }
    return Knowledge({*parse_component("firmware", kFirmware, "f"), *parse_component("runc", kRunc, "r"),
                      *parse_component("silent", "title: s\nkind: x\nscheme: plain\n", "s")},
                     *parse_floor("runc", kFloor, "runc.yaml"), std::move(database));
  }
  static Question question(std::string version, std::string distro = {}) {
    Question asked;
    asked.component = "runc";
    asked.version = std::move(version);
    asked.distro = std::move(distro);
    asked.today = "2026-12-01";
    return asked;
  }

  testing::TemporaryFolder folder_;
};

const Finding* find(const Answer& answer, std::string_view id) {
  const auto found = std::find_if(answer.findings.begin(), answer.findings.end(),
                                  [&](const Finding& finding) { return finding.id == id; });
  return found == answer.findings.end() ? nullptr : &*found;
}

Advisory imported_record(std::string id, std::string source, Affected affected) {
  Advisory advisory;
  advisory.id = std::move(id);
  advisory.source = std::move(source);
  advisory.title = "imported";
  advisory.affected = {std::move(affected)};
  return advisory;
}

Affected product(std::string ecosystem, std::string package, std::vector<Range> ranges) {
  Affected affected;
  affected.ecosystem = std::move(ecosystem);
  affected.package = std::move(package);
  affected.ranges = std::move(ranges);
  return affected;
}

TEST_F(Decide, MakersBuildsGoByTheirRanges) {
  const auto known = knowledge();
  EXPECT_EQ(decide(known, question("1.3.2"))->status, Status::fail);
  EXPECT_EQ(decide(known, question("1.3.6"))->status, Status::pass);
  const auto past_one = decide(known, question("1.2.8"));  // its line's end for one, inside the other's range
  EXPECT_EQ(past_one->status, Status::fail);
  EXPECT_EQ(find(*past_one, "CVE-1")->stand.standing, Standing::fixed);
  EXPECT_EQ(find(*past_one, "CVE-2")->stand.standing, Standing::affected);
}

TEST_F(Decide, TheSmallestStepIsFreeOfAllThatIsKnown) {
  const auto answer = decide(knowledge(), question("1.3.0"));
  EXPECT_EQ(answer->smallest, "1.3.6");  // 1.3.3 mends CVE-1 and has CVE-2
  EXPECT_EQ(answer->newest, "1.3.6");
  EXPECT_EQ(decide(knowledge(), question("1.2.0"))->smallest, "1.3.6");
  EXPECT_EQ(decide(knowledge(), question("1.3.6"))->smallest, "");
}

TEST_F(Decide, TheDistributionIsBelievedAboutItsOwnBuilds) {
  const auto known = knowledge();
  const auto mended = decide(known, question("1.1.5+ds1-1+deb12u1", "debian:12"));
  EXPECT_EQ(find(*mended, "CVE-1")->stand.standing, Standing::fixed);
  EXPECT_EQ(find(*mended, "CVE-1")->basis, Basis::distribution);
  EXPECT_EQ(find(*mended, "CVE-2")->stand.standing, Standing::unknown);  // Debian says nothing of it
  EXPECT_EQ(mended->status, Status::unknown);
  EXPECT_EQ(decide(known, question("1.1.5+ds1-1", "debian:12"))->status, Status::fail);
  EXPECT_EQ(decide(known, question("4:1.2.5-2.el9_6", "almalinux:9"))->status, Status::fail);
}

TEST_F(Decide, TheChangelogSpeaksWhereTheDistributionIsSilent) {
  const auto known = knowledge();
  Question asked = question("1.1.5+ds1-1+deb12u1", "debian:12");
  asked.changelog = {"CVE-2"};
  const auto answer = decide(known, asked);
  EXPECT_EQ(find(*answer, "CVE-2")->basis, Basis::changelog);
  EXPECT_EQ(answer->status, Status::pass);
  asked.version = "1.1.5+ds1-1";  // not against the distribution's own word
  asked.changelog = {"CVE-1", "CVE-2"};
  EXPECT_EQ(find(*decide(known, asked), "CVE-1")->stand.standing, Standing::affected);
}

TEST_F(Decide, ADistributionsBuildIsAcquittedByItsMakersButNotConvicted) {
  const auto known = knowledge();
  EXPECT_EQ(find(*decide(known, question("1.3.6-1", "debian:13")), "CVE-2")->stand.standing, Standing::fixed);
  const auto older = decide(known, question("1.2.0-1", "debian:13"));
  EXPECT_EQ(find(*older, "CVE-1")->stand.standing, Standing::unknown);
  EXPECT_EQ(older->status, Status::unknown);
}

TEST_F(Decide, AnotherPackageOfTheComponentMayHaveTheMend) {
  const auto known = knowledge();
  EXPECT_EQ(find(*decide(known, question("1.3.3-0ubuntu1~24.04.2", "ubuntu:24.04")), "CVE-1")->stand.standing,
            Standing::fixed);
  EXPECT_EQ(decide(known, question("1.1.12-0ubuntu3.1", "ubuntu:24.04"))->status, Status::fail);
  Question named = question("1.3.3-0ubuntu1~24.04.2", "ubuntu:24.04");
  named.package = "runc";  // never mended there
  EXPECT_EQ(find(*decide(known, named), "CVE-1")->stand.standing, Standing::affected);
}

TEST_F(Decide, WhatIsNoVersionOrOfAnUnknownDistributionIsUnknown) {
  const auto known = knowledge();
  for (const char* text : {"", "runc: command not found 1.3.6", "1.3.6\x1b[31m"})
    EXPECT_EQ(decide(known, question(text))->status, Status::unknown) << text;
  const auto arch = decide(known, question("1.3.6-1", "arch:rolling"));
  EXPECT_EQ(arch->status, Status::unknown);
  EXPECT_THAT(arch->reason, HasSubstr("arch:rolling"));
  EXPECT_FALSE(decide(known, [] {
    Question none = question("1");
    none.component = "rnc";
    return none;
  }()));
}

TEST_F(Decide, SilenceAcquitsOnlyWhereSomebodyLooked) {
  Question asked = question("1.0");
  asked.component = "silent";
  EXPECT_EQ(decide(knowledge(), asked)->status, Status::unknown);
}

TEST_F(Decide, StaleKnowledgeCannotAcquitAndStillConvicts) {
  const auto known = knowledge();
  Question asked = question("1.3.6");
  asked.today = "2028-01-01";
  const auto stale = decide(known, asked);
  EXPECT_EQ(stale->status, Status::unknown);
  EXPECT_THAT(stale->reason, HasSubstr("assay advisories import"));
  asked.version = "1.3.2";
  EXPECT_EQ(decide(known, asked)->status, Status::fail);
}

TEST_F(Decide, AnOldCopyIsOldHoweverLateItWasImported) {
  auto record = imported_record("ALSA-1", "almalinux", product("almalinux:10", "runc", {{"", "1.0-1", ""}}));
  record.modified = "2026-01-05";  // imported on 2026-11-30
  const auto answer = decide(knowledge({record}), question("4:1.3.6-1.el10", "almalinux:10"));
  EXPECT_EQ(answer->status, Status::unknown);
  EXPECT_THAT(answer->reason, HasSubstr("2026-01-05"));
}

TEST_F(Decide, AMendOfYesterdayIsToldAndDoesNotFail) {
  auto record = imported_record("GO-1", "go-vulndb", product("go", "example.org/runc", {{"", "1.4.0", ""}}));
  record.published = "2026-11-30";
  const auto answer = decide(knowledge({record}), question("1.3.6"));
  EXPECT_EQ(answer->status, Status::warn);
  EXPECT_TRUE(find(*answer, "GO-1")->young);
  Question later = question("1.3.6");
  later.today = "2026-12-03";
  EXPECT_EQ(decide(knowledge({record}), later)->status, Status::fail);
}

TEST_F(Decide, WhatNobodyMendedYetIsToldAndDoesNotFail) {
  const auto record = imported_record("GO-1", "go-vulndb", product("go", "example.org/runc", {Range{}}));
  EXPECT_EQ(decide(knowledge({record}), question("1.3.6"))->status, Status::warn);
  EXPECT_EQ(decide(knowledge({record}), question("1.3.2"))->status, Status::fail);  // the other still convicts
}

TEST_F(Decide, OurOwnFloorIsBelievedBeforeCollections) {
  auto wrong = imported_record("GO-1", "go-vulndb", product("go", "example.org/runc", {Range{}}));
  wrong.aliases = {"CVE-1"};
  const auto answer = decide(knowledge({wrong}), question("1.3.6"));
  EXPECT_EQ(find(*answer, "CVE-1")->stand.standing, Standing::fixed);
  EXPECT_THAT(find(*answer, "CVE-1")->aliases, ::testing::ElementsAre("GO-1"));
  EXPECT_EQ(answer->status, Status::pass);
}

TEST_F(Decide, AConditionThatWeKnowOfIsNotOverriddenByWhoDoesNot) {
  auto toolkit = product("nvidia", "ga", {});
  toolkit.fixed = {"39.8002"};
  toolkit.conditions = {"cdi=on"};
  auto bulletin = imported_record("nvidia-1/CVE-9", "nvidia", toolkit);
  bulletin.aliases = {"CVE-9"};
  auto plain = imported_record("GO-9", "go-vulndb", product("upstream", "firmware", {{"", "39.8002", ""}}));
  plain.aliases = {"CVE-9"};
  const auto known = knowledge({bulletin, plain});
  Question asked = question("28.39.1000");
  asked.component = "firmware";
  EXPECT_EQ(decide(known, asked)->status, Status::unknown);
  asked.conditions = {{"cdi", "off"}};
  EXPECT_EQ(decide(known, asked)->status, Status::pass);
  asked.conditions = {{"cdi", "on"}};
  EXPECT_EQ(decide(known, asked)->status, Status::fail);
}

TEST_F(Decide, AModuleOfAnotherMajorVersionIsNotIt) {
  const auto second = imported_record("GO-2", "go-vulndb", product("go", "example.org/runc/v2", {{"", "2.0.7", ""}}));
  const auto known = knowledge({second});
  EXPECT_EQ(find(*decide(known, question("1.3.6")), "GO-2"), nullptr);
  EXPECT_EQ(find(*decide(known, question("2.0.6")), "GO-2")->stand.standing, Standing::affected);
}

TEST_F(Decide, AttackedOnesComeFirst) {
  const auto answer = decide(knowledge({}, {{"CVE-2", "2026-01-01", "cisa-kev"}}), question("1.3.2"));
  ASSERT_EQ(answer->findings.size(), 2u);
  EXPECT_EQ(answer->findings[0].id, "CVE-2");
  EXPECT_TRUE(answer->findings[0].exploited);
}

TEST_F(Decide, TheRowsOfABulletinAreLinesOfOneProduct) {
  auto bulletin = imported_record("nvidia-1/CVE-9", "nvidia", product("nvidia", "ga", {}));
  bulletin.affected[0].fixed = {"46.3008"};
  for (const auto& [name, fixed] : {std::pair("lts", "39.8002"), std::pair("old", "28.4702")}) {
    Affected row = product("nvidia", name, {});
    row.fixed = {fixed};
    bulletin.affected.push_back(row);
  }
  const auto known = knowledge({bulletin});
  const auto status = [&](const char* version) {
    Question asked = question(version);
    asked.component = "firmware";
    return decide(known, asked)->status;
  };
  EXPECT_EQ(status("28.39.3560"), Status::fail);
  EXPECT_EQ(status("28.39.8002"), Status::pass);
  EXPECT_EQ(status("12.28.4000"), Status::fail);
  EXPECT_EQ(status("12.28.4702"), Status::pass);
  EXPECT_EQ(status("28.4702"), Status::unknown);  // a train of the old card, or a number without its model
}

TEST_F(Decide, TheEndOfSupportIsAVerdictOfItsOwn) {
  const auto known = knowledge();
  EXPECT_EQ(decide(known, question("1.2.8"))->lifecycle.status, Status::fail);
  EXPECT_EQ(decide(known, question("1.3.6"))->lifecycle.status, Status::warn);  // over within 90 days
  EXPECT_EQ(decide(known, question("1.3.6"))->lifecycle.latest, "1.3.6");
  EXPECT_EQ(decide(known, question("1.1.0"))->lifecycle.status, Status::fail);  // older than all that are listed
  EXPECT_EQ(decide(known, question("1.9.0"))->lifecycle.status, Status::unknown);
}

TEST(Days, AreCountedBetweenDates) {
  EXPECT_EQ(days_between("2026-02-27", "2026-03-01"), 2);
  EXPECT_EQ(days_between("2026-12-01", "2025-12-01"), -365);
  EXPECT_FALSE(days_between("", "2026-12-01"));
  EXPECT_FALSE(days_between("2026-02-30", "2026-12-01"));
}

TEST(Release, IsWhatRecordsName) {
  EXPECT_EQ(release_of("almalinux:9.6"), "almalinux:9");
  EXPECT_EQ(release_of("Rocky:8.10"), "rocky:8");
  EXPECT_EQ(release_of("debian:12"), "debian:12");
  EXPECT_EQ(release_of("ubuntu:24.04"), "ubuntu:24.04");
  EXPECT_EQ(release_of("sles:15.6"), "sles:15.6");
  EXPECT_EQ(release_of(""), "");
  EXPECT_EQ(release_of("."), ".");
}

TEST(UpstreamPart, IsWhatTheMakersCount) {
  EXPECT_EQ(upstream_part(version::Scheme::dpkg, "1:9.2p1-2+deb12u3"), "9.2p1");
  EXPECT_EQ(upstream_part(version::Scheme::dpkg, "1.1.5+ds1-1+deb12u1"), "1.1.5");
  EXPECT_EQ(upstream_part(version::Scheme::rpm, "4:1.2.5-3.el9_6"), "1.2.5");
}

}  // namespace
}  // namespace assay::advisory
