#include "node/orphans.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/process.hpp"
#include "base/text.hpp"

namespace assay::node {
namespace {

// Stands for a reader: a session of its own, that started a program in a group of its own, which started another.
// Gives its pid and the last program's.
std::pair<pid_t, pid_t> reader_with_a_program() {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  const pid_t reader = fork();
  if (reader == 0) {
    setsid();
    const auto program = process::start({"sh", "-c", "sleep 1000 & echo $!; wait"});
    std::array<char, 32> said{};
    const auto count = read(program->out, said.data(), said.size());
    if (write(ends[1], said.data(), static_cast<std::size_t>(count)) != count) _exit(1);
    for (;;) pause();
  }
  std::array<char, 32> said{};
  EXPECT_GT(read(ends[0], said.data(), said.size() - 1), 0);
  close(ends[0]);
  close(ends[1]);
  return {reader, static_cast<pid_t>(text::integer(text::trim(said.data())).value_or(0))};
}

TEST(Orphans, WhatAReaderLeftRunningEndsWithIt) {
  adopt_orphans();
  const auto [reader, program] = reader_with_a_program();
  ASSERT_GT(program, 0);
  EXPECT_TRUE(end_orphans({reader}));  // it still runs: its programs are its own
  EXPECT_EQ(kill(program, 0), 0);
  kill(reader, SIGKILL);
  waitpid(reader, nullptr, 0);
  bool none_left = false;
  for (int tick = 0; tick < 2000 && !none_left; ++tick) {
    // The last one is ours to reap only once its own parent has been.
    none_left = end_orphans({}) && kill(program, 0) == -1;
    poll(nullptr, 0, 5);
  }
  EXPECT_TRUE(none_left);
  EXPECT_EQ(kill(program, 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

}  // namespace
}  // namespace assay::node
