#include <gtest/gtest.h>

#include "advisory/feed.hpp"

namespace assay::advisory {
namespace {

// A record with these entries as `affected`.
std::string record(const std::string& affected, const std::string& id = "GO-2026-0001", const std::string& more = "") {
  return R"({"schema_version": "1.3.1", "id": ")" + id + R"(", "modified": "2026-01-02T03:04:05Z",
    "published": "2026-01-01T00:00:00Z", "aliases": ["CVE-2026-1", "GHSA-aaaa-bbbb-cccc"], "summary": "Something",)" +
         more + R"( "affected": [)" + affected + "]}";
}

std::string entry(const std::string& ecosystem, const std::string& package, const std::string& events,
                  const std::string& more = "") {
  return R"({"package": {"ecosystem": ")" + ecosystem + R"(", "name": ")" + package +
         R"("}, "ranges": [{"type": "ECOSYSTEM", "events": [)" + events + "]}]" + more + "}";
}

constexpr auto kFixed = R"({"introduced": "0"}, {"fixed": "1.2.8"})";

Batch osv(const std::string& text) {
  const auto batch = read_as("osv", text);
  EXPECT_TRUE(batch) << batch.error().message();
  return batch ? *batch : Batch{};
}

// The first product of a record with this one entry.
Affected first(const std::string& one) {
  const Batch batch = osv(record(one));
  if (batch.advisories.empty() || batch.advisories[0].affected.empty()) return {};
  return batch.advisories[0].affected[0];
}

std::string ranges(const std::string& events) {
  const Batch batch = osv(record(entry("Go", "a/b", events)));
  if (!batch.refused.empty()) return "refused: " + batch.refused[0].why;
  return batch.advisories.empty() ? "none" : spelled(batch.advisories[0].affected[0].ranges);
}

TEST(Osv, ARecordIsReadWhole) {
  const std::string text =
      record(entry("Go", "github.com/opencontainers/runc", kFixed) + "," + entry("Go", "example.com/other", kFixed),
             "GO-2026-0001", R"("database_specific": {"url": "https://pkg.go.dev/vuln/GO-2026-0001",
             "review_status": "REVIEWED"}, "severity": [{"type": "CVSS_V3",
             "score": "CVSS:3.1/AV:L/AC:L/PR:N/UI:R/S:C/C:H/I:H/A:H"}],)");
  ASSERT_NE(format_of(text), nullptr);
  EXPECT_EQ(format_of(text)->name, "osv");
  const Batch batch = osv(text);
  ASSERT_EQ(batch.advisories.size(), 1);
  const Advisory& one = batch.advisories[0];
  EXPECT_EQ(one.aliases, (std::vector<std::string>{"CVE-2026-1", "GHSA-aaaa-bbbb-cccc"}));
  EXPECT_EQ(one.title, "Something");
  EXPECT_EQ(one.severity, Severity::high);
  EXPECT_EQ(one.source, "go-vulndb");
  EXPECT_EQ(one.url, "https://pkg.go.dev/vuln/GO-2026-0001");
  EXPECT_EQ(one.published, "2026-01-01");
  EXPECT_EQ(one.modified, "2026-01-02");
  ASSERT_EQ(one.affected.size(), 2);
  EXPECT_EQ(one.affected[0].ecosystem, "go");
  EXPECT_EQ(one.affected[0].package, "github.com/opencontainers/runc");
  EXPECT_EQ(spelled(one.affected[0].ranges), "..1.2.8");
  EXPECT_EQ(one.affected[0].note, "reviewed by the Go team");
  EXPECT_EQ(batch.ranges, 2);
}

TEST(Osv, AListIsManyRecords) {
  const std::string one = record(entry("Go", "a/b", kFixed));
  const std::string text = "[" + one + ", {}, 5, " + record(entry("Go", "a/b", kFixed), "GO-2026-0002") + "]";
  EXPECT_EQ(format_of(text)->name, "osv");
  const Batch batch = osv(text);
  EXPECT_EQ(batch.advisories.size(), 2);
  EXPECT_EQ(batch.refused.size(), 2);
}

TEST(Osv, EcosystemsHaveOurNames) {
  const auto named = [](const std::string& ecosystem, const std::string& package = "runc") {
    const Affected one = first(entry(ecosystem, package, R"({"introduced": "0"}, {"fixed": "1.2-3"})"));
    return one.ecosystem + " " + one.package;
  };
  EXPECT_EQ(named("AlmaLinux:9"), "almalinux:9 runc");
  EXPECT_EQ(named("Rocky Linux:9"), "rocky:9 runc");
  EXPECT_EQ(named("Red Hat:enterprise_linux:9::appstream"), "rhel:9 runc");
  EXPECT_EQ(named("Red Hat:enterprise_linux:10.0"), "rhel:10 runc");
  EXPECT_EQ(named("Debian:12"), "debian:12 runc");
  EXPECT_EQ(named("Ubuntu:24.04:LTS"), "ubuntu:24.04 runc");
  EXPECT_EQ(named("Ubuntu:25.10"), "ubuntu:25.10 runc");
  EXPECT_EQ(named("Ubuntu:Pro:22.04:LTS"), "ubuntu-pro:22.04 runc");
  EXPECT_EQ(named("Go"), "go runc");
  EXPECT_EQ(named("PyPI", "Foo__Bar.-baz"), "pypi foo-bar-baz");
  EXPECT_EQ(first(entry("Linux", "Kernel", R"({"introduced": "4.14"}, {"fixed": "6.1.170"})")).package, "linux");
}

TEST(Osv, OthersAreCountedOrRefused) {
  for (const auto* other : {"npm", "Alpine:v3.20", "SUSE:Linux Enterprise Server 15 SP5", "openSUSE:Leap 15.6",
                            "Red Hat:rhel_eus:9.4::appstream", "Ubuntu:Pro:FIPS:22.04:LTS"}) {
    const Batch batch = osv(record(entry(other, "runc", kFixed)));
    EXPECT_TRUE(batch.advisories.empty()) << other;
    EXPECT_EQ(batch.elsewhere, 1) << other;
    EXPECT_TRUE(batch.refused.empty()) << other;
  }
  for (const auto* unknown : {"", "Debian", "AlmaLinux:", "AlmaLinux:nine", "Debian:../12", "Something New"}) {
    const Batch batch = osv(record(entry(unknown, "runc", kFixed)));
    EXPECT_TRUE(batch.advisories.empty()) << unknown;
    EXPECT_EQ(batch.refused.size(), 1) << unknown;
  }
}

TEST(Osv, EventsBecomeIntervals) {
  EXPECT_EQ(ranges(R"({"introduced": "0"})"), "..");
  EXPECT_EQ(ranges(R"({"introduced": "1.0.0"}, {"last_affected": "1.2.0"})"), "1.0.0..=1.2.0");
  EXPECT_EQ(ranges(R"({"introduced": "0"}, {"fixed": "1.2.8"}, {"introduced": "1.3.0-rc.1"}, {"fixed": "1.3.3"})"),
            "..1.2.8 1.3.0-rc.1..1.3.3");
  // In any order, by version.
  EXPECT_EQ(ranges(R"({"fixed": "1.3.3"}, {"introduced": "1.3.0"}, {"fixed": "1.2.8"}, {"introduced": "0"})"),
            "..1.2.8 1.3.0..1.3.3");
  EXPECT_EQ(ranges(R"({"introduced": "0"}, {"fixed": "1.10.0"}, {"introduced": "1.9.0"})"), "..1.10.0");
}

TEST(Osv, EventsThatCantBeReadAreRefused) {
  for (const auto* events : {"", "5", "{}", R"({"fixed": "1.2.8"})", R"({"introduced": "0"}, {"fixed": "n/a"})",
                             R"({"introduced": "0"}, {"fixed": ""})", R"({"introduced": "0"}, {"fixed": 5})",
                             R"({"introduced": "0", "fixed": "1.2.8"})", R"({"introduced": "0"}, {"limit": "1.2.8"})",
                             R"({"introduced": "0"}, {"mended": "1.2.8"})", R"({"introduced": null})"})
    EXPECT_EQ(ranges(events).substr(0, 7), "refused") << events;
}

TEST(Osv, APartThatCantBeReadHidesNothing) {
  const Batch batch = osv(record(R"({"package": {"ecosystem": "Go", "name": "a/b"}, "ranges": [
    {"type": "SEMVER", "events": [{"introduced": "0"}, {"fixed": "1.2.8"}]},
    {"type": "SEMVER", "events": [{"introduced": "2.0.0"}, {"fixed": "soon"}]}]})"));
  ASSERT_EQ(batch.advisories.size(), 1);
  const auto& affected = batch.advisories[0].affected;
  ASSERT_EQ(affected.size(), 2);
  EXPECT_EQ(affected[0].says, Affected::Says::undecided);
  EXPECT_EQ(affected[1].says, Affected::Says::affected);
  EXPECT_EQ(spelled(affected[1].ranges), "..1.2.8");
  EXPECT_EQ(batch.refused.size(), 1);
}

TEST(Osv, CommitsAreCountedElsewhere) {
  const Batch batch = osv(record(R"({"ranges": [{"type": "GIT", "repo": "https://x", "events": [{"introduced": "0"}]}]},
    {"package": {"ecosystem": "PyPI", "name": "vllm"}, "versions": ["0.8.4"],
     "ranges": [{"type": "GIT", "repo": "https://x", "events": [{"introduced": "0"}]}]})"));
  EXPECT_EQ(batch.ranges, 2);
  EXPECT_EQ(batch.elsewhere, 2);
  EXPECT_TRUE(batch.refused.empty());
  ASSERT_EQ(batch.advisories.size(), 1);
  EXPECT_EQ(batch.advisories[0].affected[0].versions, std::vector<std::string>{"0.8.4"});
}

TEST(Osv, DistributionsNameTheirCvesAsRelated) {
  const std::string alma = R"({"id": "ALSA-2025:1", "summary": "Moderate: runc security update",
    "related": ["CVE-2025-2", "CVE-2025-1", "CVE-2025-2"], "published": "2025-11-07T00:00:00Z",
    "modified": "2025-11-10T00:00:00Z", "references": [
      {"type": "ADVISORY", "url": "https://redhat.example/1"}, {"type": "ADVISORY", "url": "https://alma.example/1"}],
    "affected": [)" + entry("AlmaLinux:9", "runc", R"({"introduced": "0"}, {"fixed": "4:1.2.5-3.el9_6"})") +
                           "]}";
  const Batch batch = osv(alma);
  ASSERT_EQ(batch.advisories.size(), 1);
  EXPECT_EQ(batch.advisories[0].aliases, (std::vector<std::string>{"CVE-2025-1", "CVE-2025-2"}));
  EXPECT_EQ(batch.advisories[0].severity, Severity::medium);
  EXPECT_EQ(batch.advisories[0].source, "almalinux");
  EXPECT_EQ(batch.advisories[0].url, "https://alma.example/1");
  // Elsewhere, related ones are others.
  EXPECT_EQ(osv(record(entry("Go", "a/b", kFixed), "GO-1", R"("related": ["CVE-2020-1"],)")).advisories[0].aliases,
            (std::vector<std::string>{"CVE-2026-1", "GHSA-aaaa-bbbb-cccc"}));
  EXPECT_EQ(osv(record(entry("Ubuntu:24.04:LTS", "runc-app", kFixed), "UBUNTU-CVE-2025-31133")).advisories[0].aliases,
            (std::vector<std::string>{"CVE-2025-31133", "CVE-2026-1", "GHSA-aaaa-bbbb-cccc"}));
}

TEST(Osv, ABugFixIsNoWeakness) {
  const std::string text = R"({"id": "ALBA-2026:1", "modified": "2026-01-01T00:00:00Z", "related": [], "affected": [)" +
                           entry("AlmaLinux:9", "kernel", R"({"introduced": "0"}, {"fixed": "5.14.0-1.el9"})") + "]}";
  const Batch batch = osv(text);
  EXPECT_TRUE(batch.advisories.empty());
  EXPECT_EQ(batch.elsewhere, 1);
}

TEST(Osv, SeverityIsTheWorstVectorElseTheWord) {
  const auto severity = [](const std::string& more) {
    const Advisory one = osv(record(entry("Go", "a/b", kFixed), "GO-1", more)).advisories[0];
    return std::string(name_of(one.severity)) + " " + one.vector;
  };
  const std::string v4 = "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N";
  const std::string v3 = "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H";
  EXPECT_EQ(severity(""), "unknown ");
  EXPECT_EQ(severity(R"("severity": [{"type": "CVSS_V4", "score": ")" + v4 + R"("}, {"type": "CVSS_V3", "score": ")" +
                     v3 + R"("}],)"),
            "critical " + v3);
  EXPECT_EQ(severity(R"("severity": [{"type": "CVSS_V4", "score": ")" + v4 +
                     R"("}], "database_specific": {"severity": "HIGH"},)"),
            "high " + v4);
  EXPECT_EQ(severity(R"("severity": [{"type": "Ubuntu", "score": "medium"}],)"), "medium ");
  EXPECT_EQ(severity(R"("severity": [{"type": "CVSS_V3", "score": "9.8"}, 5], "database_specific": 7,)"), "unknown ");
}

TEST(Osv, AWithdrawnRecordSaysSo) {
  EXPECT_EQ(osv(record(entry("Go", "a/b", kFixed), "GO-1", R"("withdrawn": "2024-08-21T16:25:56Z",)"))
                .advisories[0]
                .withdrawn,
            "2024-08-21");
  const Batch unreadable = osv(record(entry("Go", "a/b", kFixed), "GO-1", R"("withdrawn": "yes",)"));
  EXPECT_TRUE(unreadable.advisories.empty());
  EXPECT_EQ(unreadable.refused.size(), 1);
}

// Each member gone wrong: refused with words, or without what it told.
TEST(Osv, MalformedMembers) {
  const auto refused = [](const std::string& text) { return osv(text).refused.size(); };
  EXPECT_EQ(refused(record("5")), 1);
  EXPECT_EQ(refused(record(R"({"package": 5, "ranges": []})")), 1);
  EXPECT_EQ(refused(record(R"({"package": {"ecosystem": "Go"}, "ranges": []})")), 1);
  EXPECT_EQ(refused(record(R"({"package": {"ecosystem": "Go", "name": "a b"}, "ranges": []})")), 1);
  EXPECT_EQ(refused(record(R"({"package": {"ecosystem": "Go", "name": "a/b"}})")), 1);
  EXPECT_EQ(refused(record(R"({"package": {"ecosystem": "Go", "name": "a/b"}, "ranges": 5})")), 1);
  EXPECT_EQ(refused(record(R"({"package": {"ecosystem": "Go", "name": "a/b"}, "ranges": [5]})")), 1);
  EXPECT_EQ(refused(record(R"({"package": {"ecosystem": "Go", "name": "a/b"}, "ranges": [{"type": "NEW"}]})")), 1);
  EXPECT_EQ(refused(record(R"({"package": {"ecosystem": "Go", "name": "a/b"}, "versions": [5]})")), 1);
  EXPECT_EQ(refused(R"({"id": "GO-1", "modified": "2026-01-01T00:00:00Z", "affected": 5})"), 1);
  EXPECT_EQ(refused(R"({"id": "a b", "affected": []})"), 1);
  EXPECT_EQ(refused(R"({"id": 5, "affected": []})"), 1);
  EXPECT_EQ(
      osv(record(entry("Go", "a/b", kFixed), "GO-1", R"("references": 5, "severity": "high",)")).advisories.size(), 1);
}

TEST(Osv, WhatIsNoRecordIsRefusedWhole) {
  for (const std::string text : {"", "[", "{", "5", "null", "{}", R"({"a": 1})", "\xff\xfe", "<xml/>"})
    EXPECT_FALSE(read_as("osv", text)) << text;
  const std::string whole = record(entry("Go", "a/b", kFixed));
  for (std::size_t cut = 0; cut < whole.size(); cut += 7) EXPECT_FALSE(read_as("osv", whole.substr(0, cut))) << cut;
  EXPECT_FALSE(read_as("osv", record(std::string(5000, '[') + std::string(5000, ']'))));
}

TEST(Osv, GoesByCustomRangesWhereTheModulesIsOpen) {
  const auto go = [](const std::string& own, const std::string& custom) {
    const Affected one = first(entry("Go", "a/b", own, R"(, "ecosystem_specific": {"custom_ranges": [
      {"type": "ECOSYSTEM", "events": [)" + custom + "]}]}"));
    return spelled(one.ranges);
  };
  EXPECT_EQ(go(R"({"introduced": "0"})", R"({"introduced": "0"}, {"fixed": "1.9.0"})"), "..1.9.0");
  EXPECT_EQ(go(R"({"introduced": "0"})", R"({"introduced": "2.0.0"}, {"fixed": "2.8.2"})"), "2.0.0..2.8.2");
  // Both end: what they share.
  EXPECT_EQ(go(R"({"introduced": "0"}, {"fixed": "20.10.0"})", R"({"introduced": "19.03.0"}, {"fixed": "19.03.1"})"),
            "19.03.0..19.03.1");
  EXPECT_EQ(go(R"({"introduced": "26.0.0"}, {"fixed": "26.1.5"})",
               R"({"introduced": "26.0.0"}, {"fixed": "26.0.3"}, {"introduced": "26.1.0"}, {"fixed": "26.1.15"})"),
            "26.0.0..26.0.3 26.1.0..26.1.5");
}

}  // namespace
}  // namespace assay::advisory
