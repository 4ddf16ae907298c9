#include "advisory/cvss.hpp"

#include <gtest/gtest.h>

namespace assay::advisory {
namespace {

// As published with the CVEs: by NVD, or in the examples of FIRST's guide.
TEST(Cvss, KnownVectorsHaveTheirScores) {
  EXPECT_EQ(cvss_base_score("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H"), 10.0);  // CVE-2021-44228
  EXPECT_EQ(cvss_base_score("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"), 9.8);   // CVE-2025-1974
  EXPECT_EQ(cvss_base_score("CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H"), 8.1);   // CVE-2024-6387
  EXPECT_EQ(cvss_base_score("CVSS:3.1/AV:L/AC:L/PR:N/UI:R/S:C/C:H/I:H/A:H"), 8.6);   // CVE-2024-21626
  EXPECT_EQ(cvss_base_score("CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H"), 7.8);   // CVE-2024-1086
  EXPECT_EQ(cvss_base_score("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N"), 7.5);   // CVE-2014-0160
  EXPECT_EQ(cvss_base_score("CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N"), 6.1);   // CVE-2013-1937
  EXPECT_EQ(cvss_base_score("CVSS:3.0/AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N"), 6.4);   // CVE-2013-0375
  EXPECT_EQ(cvss_base_score("CVSS:3.0/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N"), 3.1);   // CVE-2014-3566
  EXPECT_EQ(cvss_base_score("CVSS:3.0/AV:P/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"), 6.8);
  EXPECT_EQ(cvss_base_score("CVSS:3.1/AV:L/AC:H/PR:H/UI:N/S:C/C:H/I:H/A:H"), 7.5);
}

TEST(Cvss, NoImpactIsNought) { EXPECT_EQ(cvss_base_score("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N"), 0.0); }

TEST(Cvss, LaterMetricsCountForNothing) {
  EXPECT_EQ(cvss_base_score("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/E:U/RL:O/RC:C/CR:L"), 9.8);
}

TEST(Cvss, OthersHaveNone) {
  for (const auto* vector :
       {"", "CVSS:3.1", "CVSS:3.1/", "AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H",
        "CVSS:2.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H",
        "CVSS:3.1/AV:X/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", "CVSS:3.1/AV:N/AV:L/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H",
        "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/",
        "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N"})
    EXPECT_EQ(cvss_base_score(vector), std::nullopt) << vector;
}

}  // namespace
}  // namespace assay::advisory
