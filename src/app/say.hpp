// What commands say besides their result: errors as one line (or one JSON object with --json), and progress on a
// terminal.
#pragma once

#include <cstddef>
#include <string>

#include "base/error.hpp"

namespace assay::app {

// Errors as JSON on stdout from now on: {"error":{"expected","came","where","remedy","message"}}.
void set_json_errors(bool on);
// Says it, and gives the exit code that belongs to it.
int report_error(const Error& error);
void say(const std::string& line);  // stderr

// "12/96 steps, 3/4 hosts", rewritten in place on a terminal, silent elsewhere.
class ProgressLine {
 public:
  ~ProgressLine();
  void show(const std::string& text);

 private:
  bool shown_ = false;
};

}  // namespace assay::app
