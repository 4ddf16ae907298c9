#include "base/process.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

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

TEST(Run, EndsWhenToldToStop) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  ASSERT_EQ(write(ends[1], "", 1), 1);
  for (const char* script : {"sleep 30", "exec >&- 2>&-; sleep 30"}) {
    const auto output = process::run({"sh", "-c", script}, {std::chrono::seconds(20), 100, ends[0]});
    ASSERT_TRUE(output);
    EXPECT_TRUE(output->timed_out);
  }
  close(ends[0]);
  close(ends[1]);
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

int open_descriptors() {
  int open = 0;
  for (int fd = 0; fd < 1024; ++fd) {
    struct stat status {};
    open += fstat(fd, &status) == 0;
  }
  return open;
}

TEST(Start, LeavesNoPipeBehindWhenTheNextFails) {
  rlimit usual{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &usual), 0);
  const int next = dup(0);
  close(next);
  const int before = open_descriptors();
  for (const int room : {1, 3, 5}) {
    const rlimit tight{static_cast<rlim_t>(next + room), usual.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &tight), 0);
    const auto child = start({"true"});
    const int cause = errno;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &usual), 0);
    EXPECT_FALSE(child);
    EXPECT_EQ(cause, EMFILE);
    EXPECT_EQ(open_descriptors(), before);
  }
}

TEST(Run, AnEndThatWasNotSeenIsNoSuccess) {
  signal(SIGCHLD, SIG_IGN);
  const auto output = run({"false"});
  signal(SIGCHLD, SIG_DFL);
  ASSERT_FALSE(output);
  EXPECT_NE(output.error().message().find("SIGCHLD"), std::string::npos);
}

}  // namespace
}  // namespace assay::process
