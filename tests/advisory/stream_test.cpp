#include "advisory/stream.hpp"

#include <gtest/gtest.h>

namespace assay::advisory {
namespace {

// Records ALSA-2025:19927 and ALSA-2025:20957, both about CVE-2025-31133.
const std::vector<std::string> kRunc = {"4:1.3.0-4.el9_7", "4:1.2.5-3.el9_6"};

TEST(Stream, OfAVersionIsItsMinorRelease) {
  EXPECT_EQ(end_of_own_stream(kRunc, "4:1.2.5-3.el9_6"), "4:1.2.5-3.el9_6");
  EXPECT_EQ(end_of_own_stream(kRunc, "4:1.2.5-2.el9_6.1"), "4:1.2.5-3.el9_6");
  EXPECT_EQ(end_of_own_stream(kRunc, "4:1.3.0-3.el9_7"), "4:1.3.0-4.el9_7");
}

TEST(Stream, MendedTwiceIsMendedFromTheFirstOn) {
  const std::vector<std::string> ends = {"4.18.0-553.123.1.el8_10", "4.18.0-553.121.1.el8_10"};
  EXPECT_EQ(end_of_own_stream(ends, "4.18.0-553.122.1.el8_10"), "4.18.0-553.121.1.el8_10");
}

TEST(Stream, OfAModuleIsEpochAndLine) {
  const std::vector<std::string> ends = {"1:1.1.12-1.module_el8.9.0+3722+7fd8ab2b",
                                         "1:1.1.12-1.module_el8.9.0+3717+81096349",
                                         "4:1.2.5-2.module_el8.10.0+4068+0e21408f"};
  EXPECT_EQ(end_of_own_stream(ends, "1:1.1.12-1.module_el8.9.0+3717+81096349"), ends[1]);
  EXPECT_EQ(end_of_own_stream(ends, "4:1.2.5-1.module_el8.10.0+4020+c51d0f41"), ends[2]);
  EXPECT_EQ(end_of_own_stream(ends, "1:1.0.3-3.module_el8.6.0+2877+8e437bf5"), "");
}

TEST(Stream, WithoutATagIsToldByTheMakersNumberWhereThatDiffers) {
  EXPECT_EQ(end_of_own_stream(kRunc, "4:1.2.5-4.el9"), "4:1.2.5-3.el9_6");
  EXPECT_EQ(end_of_own_stream({"5.14.0-611.54.1.el9_7", "5.14.0-687.5.3.el9_8"}, "5.14.0-650.1.el9"), "");
}

TEST(Stream, IsNobodysWhereNoEndIsOfIt) {
  EXPECT_EQ(end_of_own_stream({}, "4:1.2.5-3.el9_6"), "");
  EXPECT_EQ(end_of_own_stream(kRunc, "4:1.1.4-1.el9_1"), "");
  EXPECT_EQ(end_of_own_stream(kRunc, ""), "");
  EXPECT_EQ(end_of_own_stream(kRunc, "no version at all"), "");
}

}  // namespace
}  // namespace assay::advisory
