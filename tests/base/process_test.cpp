#include "base/process.hpp"

#include <gtest/gtest.h>

namespace assay::process {
namespace {

TEST(Run, GivesStatusAndBothStreams) {
  const auto output = run({"sh", "-c", "echo out; echo err >&2; exit 3"});
  ASSERT_TRUE(output);
  EXPECT_EQ(output->status, 3);
  EXPECT_EQ(output->out, "out\n");
  EXPECT_EQ(output->err, "err\n");
}

TEST(Run, EndsAHangWithItsChildren) {
  const auto output = run({"sh", "-c", "sleep 1000 & echo started; wait"}, {std::chrono::milliseconds(200), 1000});
  ASSERT_TRUE(output);
  EXPECT_TRUE(output->timed_out);
  EXPECT_EQ(output->out, "started\n");
}

TEST(Run, KeepsNoMoreThanItsBound) {
  const auto output = run({"head", "-c", "3000000", "/dev/zero"}, {std::chrono::seconds(10), 1000});
  ASSERT_TRUE(output);
  EXPECT_TRUE(output->cut);
  EXPECT_EQ(output->out.size(), 1000u);
  EXPECT_EQ(output->status, 0);
}

TEST(Run, SaysWhichProgramIsMissing) {
  const auto output = run({"assay-no-such-program"});
  ASSERT_FALSE(output);
  EXPECT_NE(output.error().message().find("assay-no-such-program"), std::string::npos);
}

TEST(Run, HandsArgumentsOverAsTheyAre) {
  const auto output = run({"printf", "%s", "$(touch /tmp/x); a 'b' \"c\""});
  ASSERT_TRUE(output);
  EXPECT_EQ(output->out, "$(touch /tmp/x); a 'b' \"c\"");
}

}  // namespace
}  // namespace assay::process
