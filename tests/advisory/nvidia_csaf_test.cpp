#include <gmock/gmock.h>

#include <algorithm>

#include "advisory/feed.hpp"
#include "advisory/formats/nvidia_text_detail.hpp"
#include "advisory/standing.hpp"

namespace assay::advisory {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// What an affected text comes to: its ranges, then versions named one by one, then conditions.
std::string affected(const std::string& text, const std::string& product = "x") {
  const auto read = formats::read_affected(text, product);
  if (!read) return "refused";
  std::string all = spelled(read->ranges);
  for (const std::string& version : read->versions) all += (all.empty() ? "" : " ") + version;
  for (const std::string& condition : read->conditions) all += " [" + condition + "]";
  if (!read->conditions_before.empty()) all += " before " + read->conditions_before;
  return all;
}

std::string fixed(const std::string& text, const std::string& product = "x") {
  const auto read = formats::read_fixed(text, product);
  if (!read) return "refused";
  std::string all;
  for (const std::string& version : *read) all += (all.empty() ? "" : " ") + version;
  return all.empty() ? "never" : all;
}

// Trap 1: the phrasings that bulletins use, by families.
TEST(Traps, T01_FreeTextsOfAffectedVersionsAreReadOrRefused) {
  const std::pair<const char*, const char*> kTexts[] = {
      {"All driver versions prior to 595.71.05", "..595.71.05"},
      {"All drivers versions prior to 510.47.03", "..510.47.03"},
      {"All SBIOS firmware versions prior to 1.18", "..1.18"},
      {"All versions prior to r25.10", "..25.10"},
      {"All versions prior to v2.2.1", "..2.2.1"},
      {" All versions prior to 3.31", "..3.31"},
      {"All versions before release 25.07", "..25.07"},
      {"All versions up to and including 24.6.1", "..=24.6.1"},
      {"All versions prior to and including 0.2.1", "..=0.2.1"},
      {"All versions up to CUDA Toolkit 12.8", "..=12.8"},
      {"All versions up to and including CUDA Toolkit 12.5U1", "..=12.5.1"},
      {"All versions prior to 12.0 Update 1", "..12.0.1"},
      {"All versions prior to xx.32.1900", "..32.1900"},
      {"535.154.02(All versions up to and including vGPU 16.3)", "..=535.154.02"},
      {"510.73.06\t(All versions prior to and including vGPU 14.1)", "..=510.73.06"},
      {"All versions prior to 515.65.01(All versions prior to the August 2022 release)", "..515.65.01"},
      {"35.6.2 and earlier", "..=35.6.2"},
      {"1.8.7 and prior versions", "..=1.8.7"},
      {"1.7.21 and older versions", "..=1.7.21"},
      {"0.0 to 4.5.2", "..=4.5.2"},
      {"0.0  to 4.5.2", "..=4.5.2"},
      {"Versions 0.0 to 2.7.2", "..=2.7.2"},
      {"0.0 - 2.0", "..=2.0"},
      {"0.0-26.05", "..=26.05"},
      {"0 to v1.0.0", "..=1.0.0"},
      {"0.0 to v1.3.0 rc16", "..=1.3.0-rc16"},
      {"22.09 to 24.03", "22.09..=24.03"},
      {"v19.11 through v24.08", "19.11..=24.08"},
      {"6.15.x, 6.16.x, 6.17.x", "6.15..6.16 6.16..6.17 6.17..6.18"},
      {"6.15.x LTS prior to 6.15.6-4 LTS", "6.15..6.15.6-4"},
      {"All 2.9 versions prior to 2.9.3", "2.9..2.9.3"},
      {"All 2.10 versions", "2.10..2.11"},
      {"All 32.x versions prior to 32.7.1", "32.0..32.7.1"},
      {"2021.3.2", "2021.3.2"},
      {"2.1, 3.1, 3.1.1", "2.1 3.1 3.1.1"},
      {"All versions", ".."},
      {"All versions up to and including 1.17.7 (CDI mode only for versions prior to 1.17.5)",
       "..=1.17.7 [cdi=on] before 1.17.5"},
      {"All versions up to and including 0.12.1 (only when CDI is enabled)", "..=0.12.1 [cdi=on]"},
      {"All versions up to and including 0.17.2 (only when device-list-strategy is cdi-annotations and/or cdi-cri)",
       "..=0.17.2 [device-list-strategy=cdi-annotations|cdi-cri]"},
      {"All drivers versions prior to 472.98 for support of GeForce Kepler desktop",
       "..472.98 [gpu-generation=kepler]"},
      {"All driver versions prior to 582.53. Only GPUs based on the NVIDIA Maxwell, Volta, and Pascal GPU "
       "architectures "
       "are affected.",
       "..582.53 [gpu-generation=maxwell|pascal|volta]"},
      {"All versions that do not include code commit 9e95f50", "refused"},
      {"All versions prior to OTA0", "refused"},
      {"All commits on Main prior to March 11, 2026", "refused"},
      {"NVOS 25.02.21xx,  25.02.22xx", "refused"},
      {"All versions after 18.24.1000", "refused"},
      {"0 < 41b14d7", "refused"},
      {"All versions prior to 1.2 (if the moon is full)", "refused"},
      {"", "refused"},
      {"error 535.1", "refused"},
  };
  for (const auto& [text, wanted] : kTexts) EXPECT_EQ(affected(text), wanted) << text;
}

TEST(NvidiaTexts, MendedOnes) {
  const std::pair<const char*, const char*> kTexts[] = {
      {"595.71.05", "595.71.05"},
      {"470.103.01(vGPU 13.2)", "470.103.01"},
      {"46.3008 or newer", "46.3008"},
      {"xx.32.1900 or later", "32.1900"},
      {"12.28.2302 or later", "12.28.2302"},
      {"24.10.50 or newer,", "24.10.50"},
      {"35.6.3 and newer", "35.6.3"},
      {"CUDA Toolkit v12.4U1", "12.4.1"},
      {"6.16.0-5, 6.18.0-5", "6.16.0-5 6.18.0-5"},
      {"6.15.6-4 LTS", "6.15.6-4"},
      {"0.13.1 and 0.12.3", "0.13.1 0.12.3"},
      {"v1.3.0 rc15", "1.3.0-rc15"},
      {"10.24.09a", "10.24.09a"},
      {"SNAP-4.9.1, SNAP4 4.5.5 ", "4.9.1 4.5.5"},
      {"No patch will be provided", "never"},
      {"Contact your NVIDIA Customer Program Manager", "refused"},
      {"Available the week of June 29, 2023", "refused"},
      {"Any code branch that includes commit 5dd11f4", "refused"},
      {"08e0633", "refused"},
      {"", "refused"},
  };
  for (const auto& [text, wanted] : kTexts) EXPECT_EQ(fixed(text), wanted) << text;
}

// A bulletin of one vulnerability, with rows as {platform, product, text, "known_affected" or "fixed"}.
struct RowText {
  const char *platform, *product, *text, *status;
};

std::string bulletin(const std::vector<RowText>& rows, const std::vector<RowText>& unnamed = {}) {
  std::string branches, lists[2];
  int number = 0;
  const auto add = [&](const RowText& row) {
    const std::string id = "p" + std::to_string(number++);
    branches += std::string(branches.empty() ? "" : ",") + R"({"category": "architecture", "name": ")" + row.platform +
                R"(", "branches": [{"category": "product_version", "name": ")" + row.product +
                R"(", "product": {"name": ")" + row.text + R"(", "product_id": ")" + id + R"("}}]})";
    return id;
  };
  for (const RowText& row : rows) {
    std::string& list = lists[row.status == std::string("fixed")];
    list += (list.empty() ? "\"" : ",\"") + add(row) + "\"";
  }
  for (const RowText& row : unnamed) add(row);
  return R"({"document": {"csaf_version": "2.0", "publisher": {"namespace": "https://www.nvidia.com/security"},
    "tracking": {"id": "5703", "initial_release_date": "2025-10-09T00:00:00Z",
                 "current_release_date": "2025-10-10T00:00:00Z"}},
    "product_tree": {"branches": [{"category": "vendor", "name": "NVIDIA", "branches": [)" +
         branches + R"(]}]}, "vulnerabilities": [{"cve": "CVE-2025-23280",
    "notes": [{"category": "summary", "text": "A driver can be led astray. More words."}],
    "product_status": {"known_affected": [)" +
         lists[0] + R"(], "fixed": [)" + lists[1] + R"(]},
    "scores": [{"cvss_v3": {"baseScore": 7.8, "baseSeverity": "HIGH", "vectorString": "CVSS:3.1/AV:L"}}]}]})";
}

Batch read_bulletin(const std::string& text) {
  const auto batch = read_as("nvidia_csaf", text);
  EXPECT_TRUE(batch) << batch.error().message();
  return batch ? *batch : Batch{};
}

TEST(NvidiaCsaf, LinesOfOneDriverAreOneProduct) {
  const Batch batch =
      read_bulletin(bulletin({{"Linux(R580)", "Tesla", "All driver versions prior to 580.95.05", "known_affected"},
                              {"Linux(R580)", "Tesla", "580.95.05", "fixed"},
                              {"Linux(R535)", "Tesla", "All driver versions prior to 535.274.02", "known_affected"},
                              {"Linux(R535)", "Tesla", "535.274.02", "fixed"},
                              {"Windows(R580)", "Tesla", "All driver versions prior to 581.42", "known_affected"},
                              {"Windows(R580)", "Tesla", "581.42", "fixed"}},
                             {{"Linux(R570)", "Tesla", "570.195.03", "fixed"}}));
  ASSERT_EQ(batch.advisories.size(), 1u);
  const Advisory& advisory = batch.advisories[0];
  EXPECT_EQ(advisory.id, "nvidia-5703/CVE-2025-23280");
  EXPECT_THAT(advisory.aliases, ElementsAre("CVE-2025-23280"));
  EXPECT_EQ(advisory.title, "A driver can be led astray");
  EXPECT_EQ(advisory.severity, Severity::high);
  EXPECT_EQ(advisory.published, "2025-10-09");
  EXPECT_EQ(advisory.modified, "2025-10-10");
  ASSERT_EQ(advisory.affected.size(), 1u);
  EXPECT_EQ(advisory.affected[0].package, "tesla");
  EXPECT_EQ(advisory.affected[0].platform, "linux");
  EXPECT_THAT(advisory.affected[0].fixed, ElementsAre("580.95.05", "535.274.02"));
  EXPECT_THAT(advisory.affected[0].spared, ElementsAre("570"));  // the bulletin knows it, and doesn't count it here
  EXPECT_EQ(batch.ranges, 6u);
  EXPECT_EQ(batch.elsewhere, 2u);
  EXPECT_TRUE(batch.refused.empty());
}

TEST(Traps, T02_AVersionOfAnotherLineIsRefused) {
  const Batch batch =
      read_bulletin(bulletin({{"Linux(R535)", "Tesla", "All driver versions prior to 535.274.02", "known_affected"},
                              {"Linux(R535)", "Tesla", "575.274.02", "fixed"}}));
  const Affected* tesla = product(&batch.advisories.at(0), "nvidia", "tesla");
  ASSERT_NE(tesla, nullptr);
  EXPECT_EQ(stand(*tesla, version::Scheme::nvidia_driver, "535.274.02", {}).standing, Standing::unknown);
  EXPECT_EQ(stand(*tesla, version::Scheme::nvidia_driver, "580.1.01", {}).standing, Standing::fixed);
  ASSERT_EQ(batch.refused.size(), 1u);
  EXPECT_EQ(batch.refused[0].came, "575.274.02");
  EXPECT_THAT(batch.refused[0].why, HasSubstr("R535"));
}

TEST(Traps, T02_AnEndThatTheMendContradictsIsTheMends) {
  const Batch batch = read_bulletin(bulletin(
      {{"Linux", "DCGM Exporter", "0.0 to 4.8.2", "known_affected"}, {"Linux", "DCGM Exporter", "4.8.2", "fixed"}}));
  const Affected* exporter = product(&batch.advisories.at(0), "nvidia", "dcgm exporter");
  ASSERT_NE(exporter, nullptr);
  EXPECT_EQ(stand(*exporter, version::Scheme::semver, "4.8.1", {}).standing, Standing::affected);
  EXPECT_EQ(stand(*exporter, version::Scheme::semver, "4.8.2", {}).standing, Standing::fixed);
}

TEST(Traps, T03_ALineThatABulletinDoesNotListIsNotSafe) {
  const Batch batch =
      read_bulletin(bulletin({{"Linux(R570)", "Tesla", "All driver versions prior to 570.172.08", "known_affected"},
                              {"Linux(R570)", "Tesla", "570.172.08", "fixed"}}));
  const Affected* tesla = product(&batch.advisories.at(0), "nvidia", "tesla");
  ASSERT_NE(tesla, nullptr);
  EXPECT_EQ(stand(*tesla, version::Scheme::nvidia_driver, "550.163.01", {}).standing, Standing::affected);
}

TEST(Traps, T04_AConditionForOlderVersionsOnly) {
  const Batch batch = read_bulletin(bulletin(
      {{"Linux", "NVIDIA Container Toolkit",
        "All versions up to and including 1.17.7 (CDI mode only for versions prior to 1.17.5)", "known_affected"},
       {"Linux", "NVIDIA Container Toolkit", "1.17.8", "fixed"}}));
  const auto standing = [&](const char* version, const Conditions& conditions) {
    bool hit = false, open = false;
    for (const Affected& one : batch.advisories.at(0).affected) {
      const Standing found = stand(one, version::Scheme::semver, version, conditions).standing;
      hit = hit || found == Standing::affected;
      open = open || found == Standing::unknown;
    }
    return hit ? "affected" : open ? "unknown" : "sound";
  };
  EXPECT_STREQ(standing("1.17.4", {{"cdi", "on"}}), "affected");
  EXPECT_STREQ(standing("1.17.4", {{"cdi", "off"}}), "sound");
  EXPECT_STREQ(standing("1.17.4", {}), "unknown");
  EXPECT_STREQ(standing("1.17.6", {{"cdi", "off"}}), "affected");
  EXPECT_STREQ(standing("1.17.8", {{"cdi", "on"}}), "sound");
}

TEST(NvidiaCsaf, ALineWithoutAMendIsNotNewerThanAllThatHaveIt) {
  const Batch batch =
      read_bulletin(bulletin({{"Linux(R580)", "Tesla", "All driver versions prior to 580.2.01", "known_affected"},
                              {"Linux(R580)", "Tesla", "580.2.01", "fixed"},
                              {"Linux(R595)", "Tesla", "All driver versions", "known_affected"},
                              {"Linux(R595)", "Tesla", "No patch will be provided", "fixed"}}));
  const auto worst = [&](const char* version) {
    bool hit = false;
    for (const Affected& one : batch.advisories.at(0).affected)
      hit = hit || stand(one, version::Scheme::nvidia_driver, version, {}).standing == Standing::affected;
    return hit;
  };
  EXPECT_TRUE(worst("595.71.05"));
  EXPECT_TRUE(worst("580.1.01"));
  EXPECT_FALSE(worst("580.2.01"));
  EXPECT_FALSE(worst("610.57.04"));
}

TEST(NvidiaCsaf, ADocumentFarBeyondABulletinIsRefused) {
  std::vector<RowText> rows(2'001, {"Linux", "A", "All versions prior to 1.2", "known_affected"});
  EXPECT_FALSE(read_as("nvidia_csaf", bulletin(rows)));
  std::string twice = bulletin({{"Linux", "A", "1.2", "known_affected"}, {"Linux", "A", "1.3", "fixed"}});
  twice.replace(twice.find("\"product_id\": \"p1\""), 18, "\"product_id\": \"p0\"");
  EXPECT_FALSE(read_as("nvidia_csaf", twice));
}

TEST(NvidiaCsaf, WhatIsNoBulletinIsRefusedWithWords) {
  const std::string sound = bulletin({{"Linux", "A", "All versions prior to 1.2", "known_affected"}});
  for (std::size_t cut = 1; cut < sound.size(); cut += 7) EXPECT_FALSE(read_as("nvidia_csaf", sound.substr(0, cut)));
  for (const char* text : {"", "[]", "{}", R"({"document": {"tracking": {"id": 5}}, "vulnerabilities": []})",
                           R"({"document": {"tracking": {"id": "5"}}, "vulnerabilities": {}})"})
    EXPECT_FALSE(read_as("nvidia_csaf", text)) << text;
  std::string deep(100'000, '[');
  EXPECT_FALSE(read_as("nvidia_csaf", R"({"document": )" + deep));
}

TEST(NvidiaCsaf, ARowWithoutAProductIsRefused) {
  const Batch batch = read_bulletin(bulletin({{"Linux", "", "All versions prior to 1.2", "known_affected"}}));
  EXPECT_TRUE(batch.advisories.empty());
  EXPECT_EQ(batch.refused.size(), 1u);
}

TEST(NvidiaCsaf, MembersOfAnotherKindAreNothing) {
  std::string text = bulletin({{"Linux", "A", "All versions prior to 1.2", "known_affected"}});
  for (const std::string member : {"\"branches\": [", "\"known_affected\": [", "\"notes\": [", "\"scores\": ["}) {
    std::string other = text;
    other.replace(other.find(member), member.size(), member.substr(0, member.size() - 1) + "5, \"z\": [");
    const auto batch = read_as("nvidia_csaf", other);
    ASSERT_TRUE(batch) << member;
  }
}

TEST(NvidiaCsaf, MostOfThePublishedTextsAreReadAndTheRestIsListed) {
  if (feed("nvidia-csaf").empty()) GTEST_SKIP() << "no ../shared/feeds";
  const Batch batch = read_all(feed("nvidia-csaf"));
  EXPECT_EQ(batch.ranges, 1696u);
  EXPECT_EQ(batch.elsewhere, 519u);
  EXPECT_LE(batch.refused.size(), 57u);  // of 1,177: 95 % are read
  for (const Refusal& refusal : batch.refused) EXPECT_FALSE(refusal.why.empty()) << refusal.came;
}

// The bulletins' own floors, as the table of the data-centre driver has them.
TEST(NvidiaCsaf, DriverFloorsOfThePublishedBulletins) {
  if (feed("nvidia-csaf").empty()) GTEST_SKIP() << "no ../shared/feeds";
  const Batch batch = read_all(feed("nvidia-csaf"));
  const auto floors = [&](const char* id) {
    const Affected* tesla = product(advisory(batch, id), "nvidia", "tesla");
    std::vector<std::string> fixed = tesla == nullptr ? std::vector<std::string>() : tesla->fixed;
    std::sort(fixed.begin(), fixed.end());
    return fixed;
  };
  EXPECT_THAT(floors("nvidia-5520/CVE-2024-0074"), ElementsAre("470.239.06", "535.161.07", "550.54.14"));
  EXPECT_THAT(floors("nvidia-5586/CVE-2024-0126"), ElementsAre("535.216.01", "550.127.05"));
  EXPECT_THAT(floors("nvidia-5614/CVE-2024-0150"), ElementsAre("535.230.02", "550.144.03", "570.86.15"));
  EXPECT_THAT(floors("nvidia-5703/CVE-2025-23280"), ElementsAre("535.274.02", "570.195.03", "580.95.05"));
  EXPECT_THAT(floors("nvidia-5821/CVE-2026-24187"), ElementsAre("535.309.01", "580.159.03", "595.71.05"));
}

}  // namespace
}  // namespace assay::advisory
