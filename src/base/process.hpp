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
// SIGTERM to the group, SIGKILL after `grace`; reaps the child and returns its status as in Output.
int stop(const Child& child, std::chrono::milliseconds grace);

// The full path of a program in PATH, or empty.
std::string find_program(const std::string& name);

}  // namespace assay::process
