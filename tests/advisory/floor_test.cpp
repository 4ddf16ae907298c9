#include "advisory/floor.hpp"

#include <gmock/gmock.h>

#include "advisory/component.hpp"
#include "testing.hpp"

namespace assay::advisory {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kSound = R"(date: 2026-08-22
advisories:
  - cves: [CVE-2025-52565, CVE-2025-31133]
    title: a container can get out through its mounts
    severity: high
    vector: CVSS:4.0/AV:L
    published: 2025-11-05
    exploited: 2025-12-01
    source: https://example.org/runc
    fixed: [1.2.8, 1.3.3]
    introduced: 1.0.0
    conditions: [rootless=off]
    distributions:
      almalinux:9: {package: runc, fixed: "4:1.2.5-3.el9_6"}
      ubuntu:24.04:
        - {package: runc, says: affected}
        - {package: runc-app, fixed: 1.3.3-0ubuntu1~24.04.2}
      debian:13: {package: runc, says: not_affected}
  - cves: [CVE-2023-48022]
    title: jobs can be sent by anybody who reaches the port
    severity: critical
    source: https://example.org/ray
    fixed: none
  - cves: [CVE-2025-1]
    title: some versions
    severity: low
    source: https://example.org/x
    ranges: [{introduced: 1.3.0, fixed: 1.3.6}, {last: "2.0"}]
lines:
  - {product: kubernetes, line: "1.34", end: 2026-10-27, latest: 1.34.11, source: https://example.org/k}
)";

std::string refusal(std::string yaml, const std::string& what, const std::string& with) {
  const auto at = yaml.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  yaml.replace(at, what.size(), with);
  const auto floor = parse_floor("runc", yaml, "runc.yaml");
  return floor ? "read" : floor.error().message();
}

TEST(Floor, ReadsIntoTheModelOfEveryFeed) {
  const auto floor = parse_floor("runc", kSound, "runc.yaml");
  ASSERT_TRUE(floor) << floor.error().message();
  ASSERT_EQ(floor->advisories.size(), 3u);
  const Advisory& first = floor->advisories[0];
  EXPECT_EQ(first.id, "CVE-2025-52565");
  EXPECT_THAT(first.aliases, ElementsAre("CVE-2025-31133", "CVE-2025-52565"));
  EXPECT_EQ(first.source, "assay");
  EXPECT_EQ(first.severity, Severity::high);
  ASSERT_EQ(first.affected.size(), 5u);
  EXPECT_EQ(first.affected[0].ecosystem, "upstream");
  EXPECT_EQ(first.affected[0].package, "runc");
  EXPECT_THAT(first.affected[0].fixed, ElementsAre("1.2.8", "1.3.3"));
  EXPECT_EQ(first.affected[0].introduced, "1.0.0");
  EXPECT_THAT(first.affected[0].conditions, ElementsAre("rootless=off"));
  EXPECT_EQ(first.affected[1].ecosystem, "almalinux:9");
  EXPECT_THAT(first.affected[2].ranges, ElementsAre(Range{}));  // ubuntu's runc: no version is mended
  EXPECT_EQ(first.affected[3].package, "runc-app");
  EXPECT_EQ(first.affected[4].says, Affected::Says::not_affected);
  EXPECT_THAT(floor->advisories[1].affected[0].ranges, ElementsAre(Range{}));
  EXPECT_THAT(floor->advisories[2].affected[0].ranges, ElementsAre(Range{"1.3.0", "1.3.6", ""}, Range{"", "", "2.0"}));
  ASSERT_EQ(floor->exploited.size(), 2u);
  EXPECT_EQ(floor->exploited[0].since, "2025-12-01");
  ASSERT_EQ(floor->cycles.size(), 1u);
  EXPECT_EQ(floor->cycles[0].end, "2026-10-27");
  EXPECT_EQ(floor->date, "2026-08-22");
}

TEST(Floor, SlipsAreRefusedWithTheirPlace) {
  EXPECT_THAT(refusal(kSound, "severity: high", "severity: hihg"), HasSubstr("hihg"));
  EXPECT_THAT(refusal(kSound, "severity: high", "severty: high"), HasSubstr("severity"));
  EXPECT_THAT(refusal(kSound, "published: 2025-11-05", "published: 5.11.2025"), HasSubstr("a date like"));
  EXPECT_THAT(refusal(kSound, "date: 2026-08-22\n", ""), HasSubstr("compared with its sources"));
  EXPECT_THAT(refusal(kSound, "fixed: none", "fixed: []"), HasSubstr("none of them"));
  EXPECT_THAT(refusal(kSound, "says: affected", "says: maybe"), HasSubstr("maybe"));
  EXPECT_THAT(refusal(kSound, "almalinux:9", "almalinux9"), HasSubstr("ID:VERSION_ID"));
  EXPECT_THAT(refusal(kSound, "{last: \"2.0\"}", "{last: \"2.0\", fixed: \"2.1\"}"), HasSubstr("both"));
  EXPECT_THAT(refusal(kSound, "[CVE-2025-1]", "[]"), HasSubstr("at least one CVE"));
  EXPECT_THAT(refusal(kSound, "    source: https://example.org/ray\n", ""), HasSubstr("\"source\""));
  EXPECT_THAT(refusal(kSound, "lines:", "lines: ["), HasSubstr("YAML"));
}

// What assay brings is read whole, and each file is about a component.
TEST(Floor, TheOneThatIsBroughtIsSound) {
  const std::filesystem::path data = std::filesystem::path(ASSAY_SOURCE_DIR) / "data";
  const auto components = load_components(data / "components");
  ASSERT_TRUE(components) << components.error().message();
  EXPECT_GE(components->size(), 45u);
  const auto floor = load_floor(data / "advisories");
  ASSERT_TRUE(floor) << floor.error().message();
  EXPECT_GE(floor->advisories.size(), 60u);
  for (const std::string& id : floor->components) {
    if (id == "lines") continue;
    EXPECT_NE(find_component(*components, id), nullptr) << id;
  }
  for (const Advisory& advisory : floor->advisories)
    for (const Affected& affected : advisory.affected) {
      if (affected.ecosystem != "upstream") continue;
      const auto scheme = find_component(*components, affected.package)->scheme;
      for (const std::string& version : affected.fixed)
        EXPECT_TRUE(version::is_version(scheme, version)) << advisory.id << " " << version;
      for (const Range& range : affected.ranges)
        for (const std::string& version : {range.introduced, range.fixed, range.last})
          EXPECT_TRUE(version.empty() || version::is_version(scheme, version)) << advisory.id << " " << version;
    }
}

TEST(Components, ASlipIsRefused) {
  constexpr auto kComponent = "title: runc\nkind: container\nscheme: semver\nbulletins: [{name: runc}]\n";
  EXPECT_TRUE(parse_component("runc", kComponent, "runc.yaml"));
  const auto refused = [](const std::string& id, const std::string& yaml) {
    const auto component = parse_component(id, yaml, "x.yaml");
    return component ? std::string("read") : component.error().message();
  };
  EXPECT_THAT(refused("Run_c", kComponent), HasSubstr("lower-case words"));
  EXPECT_THAT(refused("runc", "title: runc\nkind: container\nscheme: simver\n"), HasSubstr("simver"));
  EXPECT_THAT(refused("runc", std::string(kComponent) + "dpkg_source: [runc]\n"), HasSubstr("dpkg_source"));
  EXPECT_THAT(refused("runc", "title: x\nkind: y\nscheme: semver\nbulletins: [{name: Runc}]\n"),
              HasSubstr("lower case"));
  testing::TemporaryFolder folder;
  folder.write("a.yaml", "title: a\nkind: x\nscheme: semver\ntogether: [b]\n");
  const auto loaded = load_components(folder.path());
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message(), HasSubstr("\"b\""));
}

}  // namespace
}  // namespace assay::advisory
