#include "cluster/labeled.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <array>

namespace assay::cluster {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Label, IsSrunsAndNothingElse) {
  EXPECT_EQ(unlabel("12: {\"a\":\"3: x\"}").task, 12);
  EXPECT_EQ(unlabel("12: {\"a\":\"3: x\"}").rest, "{\"a\":\"3: x\"}");
  EXPECT_EQ(unlabel(" 3: ").task, 3);
  EXPECT_EQ(unlabel(" 3: ").rest, "");
  for (const char* line : {"", "3:x", "-1: x", "x3: y", "3", "99999999: x", "srun: error: n1: task 0: Killed"})
    EXPECT_EQ(unlabel(line).task, -1) << line;
}

TEST(EndedTasks, AreReadFromSrunsOwnErrors) {
  EXPECT_THAT(ended_tasks("srun: error: n3: task 2: Killed"), ElementsAre(2));
  EXPECT_THAT(ended_tasks("srun: error: n[3-5]: tasks 2,4-5: Exited with exit code 7"), ElementsAre(2, 4, 5));
  for (const char* line : {"2: srun: error: n3: task 2: Killed", "srun: error: Unable to allocate resources: busy",
                           "srun: error: n1: task x: Killed", "srun: error: n1: tasks 0-99999999: Killed"})
    EXPECT_THAT(ended_tasks(line), IsEmpty()) << line;
}

// A sorter between srun's two streams, which the test writes, and the nodes' streams.
class Sorted : public ::testing::Test {
 protected:
  void SetUp() override {
    signal(SIGPIPE, SIG_IGN);
    std::array<int, 2> out{};
    std::array<int, 2> err{};
    ASSERT_EQ(pipe2(out.data(), O_CLOEXEC) + pipe2(err.data(), O_CLOEXEC), 0);
    srun_out_ = out[1];
    srun_err_ = err[1];
    sorter_ = std::move(Sorter::start(out[0], err[0], 2).value());
    for (std::size_t i = 0; i < 2; ++i) streams_[i] = sorter_->take_stream(i);
    words_ = sorter_->take_words();
  }
  void TearDown() override {
    end_srun();
    for (const int fd : {streams_[0], streams_[1], words_}) close(fd);
    sorter_.reset();
  }
  void end_srun() {
    for (int* fd : {&srun_out_, &srun_err_})
      if (*fd >= 0) close(std::exchange(*fd, -1));
  }
  static void print(int to, std::string_view text) {
    ASSERT_EQ(write(to, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  // Until the stream's end.
  static std::string all_of(int fd) {
    std::string text;
    std::array<char, 4096> buffer;
    for (ssize_t n = 0; (n = read(fd, buffer.data(), buffer.size())) > 0;) text.append(buffer.data(), n);
    return text;
  }

  std::unique_ptr<Sorter> sorter_;
  std::array<int, 2> streams_{-1, -1};
  int srun_out_ = -1, srun_err_ = -1, words_ = -1;
};

TEST_F(Sorted, EachNodeGetsItsOwnLinesWhole) {
  print(srun_out_, "0: {\"a\":1}\n1: \x02{\"b\":\n0: {\"c\":3}\n1: 2}\x03\n7: of no node\nno label\n");
  end_srun();
  EXPECT_EQ(all_of(streams_[0]), "{\"a\":1}\n{\"c\":3}\n");
  EXPECT_EQ(all_of(streams_[1]), "{\"b\":2}\n");
}

TEST_F(Sorted, ANodeCanNotSpeakForAnother) {
  print(srun_out_, "1: 0: {\"forged\":1}\n1: \n1: \x1b[2J\xff\n");
  end_srun();
  EXPECT_EQ(all_of(streams_[0]), "");
  EXPECT_EQ(all_of(streams_[1]), "0: {\"forged\":1}\n\x1b[2J\xff\n");
}

TEST_F(Sorted, ADeadTasksStreamEndsWhileTheOthersGoOn) {
  print(srun_out_, "0: last words\n");
  print(srun_err_, "0: srun: error: n2: task 1: Killed\nsrun: error: n1: task 0: Killed\n");
  EXPECT_EQ(all_of(streams_[0]), "last words\n");
  print(srun_out_, "1: still here\n");
  end_srun();
  EXPECT_EQ(all_of(streams_[1]), "still here\n");
  EXPECT_EQ(all_of(words_), "0: srun: error: n2: task 1: Killed\nsrun: error: n1: task 0: Killed\n");
}

TEST_F(Sorted, AnUnreadStreamDoesNotHoldUpTheEnd) {
  close(std::exchange(streams_[0], -1));
  for (int i = 0; i < 300; ++i) print(srun_out_, "0: " + std::string(1000, 'x') + "\n");
  print(srun_out_, "1: x\n");
  end_srun();
  EXPECT_EQ(all_of(streams_[1]), "x\n");
}

RC_GTEST_PROP(Label, NoTextBreaksIt, (const std::string& text)) {
  unlabel(text);
  ended_tasks("srun: error: n1: task" + text);
}

}  // namespace
}  // namespace assay::cluster
