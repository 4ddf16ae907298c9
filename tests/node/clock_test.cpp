#include "node/facts/clock_detail.hpp"

#include <gmock/gmock.h>

#include "reading.hpp"

namespace assay::testing {
namespace {

using node::facts::parse_tracking;

// chrony 4.3 itself printed these two; the third is made like them.
constexpr auto kLocal =
    "7F7F0101,,8,1796094350.618323554,0.000000000,0.000000000,0.000000000,0.000,0.000,0.000,0.000000000,0.000000000,"
    "0.0,Normal\n";
constexpr auto kLost =
    "00000000,,0,0.000000000,0.000000000,0.000000000,0.000000000,0.000,0.000,0.000,1.000000000,1.000000000,0.0,Not "
    "synchronised\n";
constexpr auto kFollowing =
    "0A4D0001,10.77.0.1,9,1796094350.618323554,-0.000012500,0.000000000,0.000000000,0.000,0.000,0.000,0.000400000,"
    "0.000300000,64.4,Normal\n";

TEST(Clock, ReadsChronysTracking) {
  const auto following = parse_tracking(kFollowing);
  ASSERT_TRUE(following);
  EXPECT_EQ(following->server, "10.77.0.1");
  EXPECT_EQ(following->stratum, 9);
  EXPECT_DOUBLE_EQ(following->correction, -0.0000125);
  EXPECT_DOUBLE_EQ(following->root_delay, 0.0004);
  EXPECT_EQ(following->leap, "Normal");
  EXPECT_EQ(parse_tracking(kLocal)->reference, "7F7F0101");
  EXPECT_EQ(parse_tracking(kLost)->leap, "Not synchronised");
}

TEST(Clock, RefusesOtherAnswers) {
  const std::string following = kFollowing;
  for (const std::string& text :
       {std::string("506 Cannot talk to daemon\n"), std::string(), following + following,
        following.substr(0, following.size() - 20), std::string("1,2,3,4,5,6,7,8,9,10,11,12,13,14\n"),
        std::string("0A4D0001,h,99,0,0,0,0,0,0,0,0,0,0,Normal\n"),
        std::string("0A4D0001,h,1,0,nan,0,0,0,0,0,0,0,0,N\n")})
    EXPECT_FALSE(parse_tracking(text)) << text;
}

TEST(Clock, ATreeHasNoTime) {
  TemporaryFolder tree;
  tree.write("/run/systemd/timesync/synchronized", "");
  const Reading reading = read_tree("clock", tree.string());
  EXPECT_EQ(reading.text("", "clock.now"), "<absent unsupported>");
  EXPECT_EQ(reading.text("", "clock.daemons"), "<absent unsupported>");
  EXPECT_EQ(reading.text("", "clock.kernel-synchronized"), "<absent unsupported>");
  EXPECT_EQ(reading.text("", "clock.timesyncd-synchronized"), "true");
}

TEST(Clock, ThisMachineTellsNanoseconds) {
  const Reading reading = read_live("clock");
  const Value* now = reading.find("", "clock.now")->value();
  ASSERT_NE(now, nullptr);
  EXPECT_GT(std::get<std::int64_t>(*now), 1'700'000'000'000'000'000);
}

}  // namespace
}  // namespace assay::testing
