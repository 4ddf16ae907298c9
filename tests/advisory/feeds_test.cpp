// The published feeds beside the checkout, read whole, and records that are known by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "advisory/feed.hpp"

namespace assay::advisory {
namespace {

class Feeds : public ::testing::Test {
 protected:
  // False: skipped.
  bool have(const std::string& name) { return !feed(name).empty(); }
};

#define NEED(name) \
  if (!have(name)) GTEST_SKIP() << "no ../shared/feeds/" name

std::string refusals(const Batch& batch) {
  std::string all;
  for (const Refusal& one : batch.refused)
    all += one.document + " " + one.subject + ": " + one.why + ", got " + one.came + "\n";
  return all;
}

TEST_F(Feeds, AlmaLinux) {
  NEED("almalinux-osv");
  const Batch batch = read_all(feed("almalinux-osv"));
  EXPECT_EQ(batch.refused.size(), 0) << refusals(batch);
  // 441 records, 16 of which mend no weakness.
  EXPECT_EQ(batch.advisories.size(), 425);
  EXPECT_EQ(batch.ranges, 23227);
  const auto fixed = [&](const char* id, const char* ecosystem, const char* package) {
    const Affected* one = product(advisory(batch, id), ecosystem, package);
    return one ? spelled(one->ranges) : "none";
  };
  EXPECT_EQ(fixed("ALSA-2025:19927", "almalinux:9", "runc"), "..4:1.2.5-3.el9_6");
  EXPECT_EQ(fixed("ALSA-2025:21232", "almalinux:8", "runc"), "..4:1.2.5-2.module_el8.10.0+4068+0e21408f");
  const Advisory* runc = advisory(batch, "ALSA-2025:19927");
  EXPECT_EQ(runc->severity, Severity::high);
  EXPECT_EQ(runc->aliases, (std::vector<std::string>{"CVE-2025-31133", "CVE-2025-52565", "CVE-2025-52881"}));
  EXPECT_EQ(runc->published, "2025-11-07");
  EXPECT_EQ(runc->url, "https://errata.almalinux.org/9/ALSA-2025-19927.html");
}

TEST_F(Feeds, GoVulndb) {
  NEED("go-vulndb");
  const Batch batch = read_all(feed("go-vulndb"));
  EXPECT_EQ(batch.advisories.size(), 144);
  const auto ranges = [&](const char* id, const char* module) {
    const Affected* one = product(advisory(batch, id), "go", module);
    return one ? spelled(one->ranges) : "none";
  };
  EXPECT_EQ(ranges("GO-2025-4096", "github.com/opencontainers/runc"),
            "..1.2.8 1.3.0-rc.1..1.3.3 1.4.0-rc.1..1.4.0-rc.3");
  EXPECT_NE(advisory(batch, "GO-2022-0617")->withdrawn, "");
  // Five records of Docker Engine, three modules each, that don't tell Engine's numbers.
  EXPECT_EQ(batch.refused.size(), 15) << refusals(batch);
}

TEST_F(Feeds, EndOfLife) {
  NEED("endoflife");
  const Batch batch = read_all(feed("endoflife"));
  EXPECT_EQ(batch.ranges, 388);
  EXPECT_EQ(batch.cycles.size() + batch.elsewhere + batch.refused.size(), 388);
  EXPECT_EQ(batch.refused.size(), 0) << refusals(batch);
  const auto cycle = [&](std::string_view product, std::string_view line) {
    const auto found = std::find_if(batch.cycles.begin(), batch.cycles.end(),
                                    [&](const Cycle& one) { return one.product == product && one.line == line; });
    return found == batch.cycles.end() ? Cycle() : *found;
  };
  EXPECT_EQ(cycle("kubernetes", "1.33").end, "2026-06-28");
  EXPECT_EQ(cycle("kubernetes", "1.34").latest, "1.34.11");
  EXPECT_EQ(cycle("nvidia-driver", "570").end, "2026-01-27");
  EXPECT_EQ(cycle("nvidia-driver", "580").latest, "580.178.04");
  EXPECT_EQ(cycle("nvidia-driver", "535").end, "2026-06-01");
  EXPECT_EQ(cycle("ubuntu", "24.04").extended_end.substr(0, 4), "2036");
}

// A list of zeros costs two bytes each, and must not become as many refusals.
TEST(Hostile, AListOfNothingIsRefusedWhole) {
  std::string zeros = "0";
  for (int i = 0; i < 200'000; ++i) zeros += ",0";
  const auto refused = [&](const char* format, const std::string& before, const std::string& after) {
    return !read_as(format, before + zeros + after);
  };
  EXPECT_TRUE(refused("osv", "[", "]"));
  EXPECT_TRUE(refused("osv", R"({"id": "GO-1", "affected": [)", "]}"));
  EXPECT_TRUE(refused("endoflife", "[", "]"));
  EXPECT_TRUE(refused("endoflife", R"({"result": {"name": "x", "releases": [)", "]}}"));
  EXPECT_TRUE(refused("endoflife", "---\nreleases: [", "]\n"));
  EXPECT_TRUE(refused("kev", R"({"vulnerabilities": [)", "]}"));
  EXPECT_TRUE(refused("ubuntu_vex", R"({"statements": [)", "]}"));
  EXPECT_TRUE(refused("redhat_vex",
                      R"({"document": {"category": "csaf_vex", "tracking": {"id": "CVE-1"}}, "vulnerabilities": [
      {"cve": "CVE-2025-1", "product_status": {"fixed": [)",
                      "]}}]}"));
  const auto ranges =
      read_as("osv", R"({"id": "GO-1", "affected": [{"package": {"ecosystem": "Go", "name": "a"}, "ranges": [)" +
                         zeros + "]}]}");
  ASSERT_TRUE(ranges);
  EXPECT_EQ(ranges->refused.size(), 1);
}

}  // namespace
}  // namespace assay::advisory
