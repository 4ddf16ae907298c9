#include "cluster/slurm_ask.hpp"

#include <poll.h>

#include <cstdlib>

#include "base/text.hpp"

namespace assay::cluster {

process::Limits slurm_limits(int stop_fd) { return {std::chrono::seconds(20), 64u << 20, stop_fd}; }

bool told_to_stop(int stop_fd, std::chrono::milliseconds patience) {
  pollfd polled{stop_fd, POLLIN, 0};
  return poll(&polled, 1, static_cast<int>(patience.count())) > 0;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string last_line(std::string_view words) {
  words = text::trim(words);
  const auto line = words.substr(words.rfind('\n') + 1);
  return text::printable(line.substr(0, 300));
}

Error unwanted(const std::string& where) {
  return {Error::Kind::unavailable, "an answer from Slurm", "the wish to stop first", where, "run it again"};
}

Result<std::string> ask_slurm(const std::vector<std::string>& argv, int stop_fd) {
  const auto output = process::run(argv, slurm_limits(stop_fd));
  const auto refuse = [&](std::string came, std::string remedy) {
    return failure(
        {Error::Kind::unavailable, "an answer from Slurm", std::move(came), argv.front(), std::move(remedy)});
  };
  if (!output)
    return failure({Error::Kind::environment, "Slurm's commands in PATH", "no " + argv.front(), "--slurm",
                    "run assay on a login node, or use --ssh"});
  if (output->timed_out && told_to_stop(stop_fd)) return failure(unwanted(argv.front()));
  if (output->timed_out) return refuse("none in 20 s", "see whether slurmctld runs: scontrol ping");
  if (output->status != 0)
    return refuse(last_line(output->err.empty() ? output->out : output->err), "see scontrol ping, or use --ssh");
  return output->out;
}

}  // namespace assay::cluster
