// How Slurm's commands are asked: for a bounded time, and no longer than somebody wants the answer.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/process.hpp"

namespace assay::cluster {

// For a command that is given up once `stop_fd` is readable.
process::Limits slurm_limits(int stop_fd = -1);
// Is it readable, now or within this time?
bool told_to_stop(int stop_fd, std::chrono::milliseconds patience = {});
// A variable of ours, or "".
std::string environment(const char* name);
// What went wrong is what a command says last.
std::string last_line(std::string_view words);
// The command's stdout, where only success will do.
Result<std::string> ask_slurm(const std::vector<std::string>& argv, int stop_fd);
// What an answer that was no longer wanted is told as.
Error unwanted(const std::string& where);

}  // namespace assay::cluster
