#include "app/stop_signals.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>

namespace assay::app {

namespace {

std::array<int, 2> stop_pipe{-1, -1};

void on_signal(int) {
  const char byte = 0;
  [[maybe_unused]] const auto ignored = write(stop_pipe[1], &byte, 1);
}

}  // namespace

int watch_stop_signals() {
  if (stop_pipe[0] < 0 && pipe2(stop_pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0) return -1;
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaction(number, &action, nullptr);
  return stop_pipe[0];
}

}  // namespace assay::app
