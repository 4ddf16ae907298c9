// The one place that runs programs: an argument vector (never a shell line), a time limit, bounded output, and the
// whole process group ended when the limit passes.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace assay::process {

struct Limits {
  std::chrono::milliseconds time{10'000};
  std::size_t output = 4u << 20;  // bytes kept of stdout, and of stderr
  int stop_fd = -1;               // readable: end it now, as if the time had passed
};

struct Output {
  int status = 0;          // exit status; 128 + signal if a signal ended it
  bool timed_out = false;  // ended by us, at the limit or told to stop
  bool cut = false;        // more output came than was kept
  std::string out;
  std::string err;
};

// Runs argv[0] (looked up in PATH) with a stdin at its end and LC_ALL=C. Errors: the program isn't there, can't be
// started, or its end was not seen (errno tells why); a non-zero status is no error.
Result<Output> run(const std::vector<std::string>& argv, Limits limits = {});

struct Child {
  int pid = -1;
  int in = -1;   // its stdin, ours to write; -1 if not asked for
  int out = -1;  // its stdout, ours to read
  int err = -1;  // its stderr, ours to read
};

// Starts a child in a process group of its own, with pipes on its three streams. The descriptors are the caller's.
Result<Child> start(const std::vector<std::string>& argv);

// Ends a child, for whoever has others to serve meanwhile: call over() now and then until it is true. It may end by
// itself for `patience`; then its group is sent SIGTERM, and SIGKILL after `grace`.
class Ending {
 public:
  using Clock = std::chrono::steady_clock;

  Ending(int pid, std::chrono::milliseconds patience, std::chrono::milliseconds grace);
  // It is reaped, and whatever outlived it in its group killed. One stuck in the kernel (a dead NFS server) can't be:
  // it is left behind a second after SIGKILL.
  bool over();
  int status() const { return status_; }  // as in Output, once it is over

 private:
  int pid_;
  Clock::time_point ask_, kill_;  // when
  bool asked_ = false;
  bool over_ = false;
  int status_ = 0;
};

// The same at once, and waited for; returns the status.
int stop(const Child& child, std::chrono::milliseconds grace);

// The full path of a program in PATH, or empty.
std::string find_program(const std::string& name);

}  // namespace assay::process
