// Why srun's options are as they are (tried with 22.05):
//   --label            keeps the nodes' output apart. --output=%N would have each node open the file, which needs a
//                      shared folder; a step for every node costs slurmctld a thousand steps for a thousand nodes.
//   --unbuffered       carries pieces instead of lines; the agent's frames make lines of them again (node/frame.hpp).
//   -m arbitrary -w    task i is on the i-th node of the list, whatever Slurm's own order is.
//   --gres             everything that the node has, else ConstrainDevices hides the GPUs that are to be looked at
//                      (--exclusive alone gives none).
//   --no-kill --kill-on-bad-exit=0 --wait=0      a node that dies or fails leaves the others alone.
#include "cluster/slurm_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "cluster/slurm_ask.hpp"

namespace assay::cluster {

namespace {

// Nodes that are asked for before a run, spread over all. One is enough where nothing is wrong, and eight are still
// told in a moment.
constexpr std::size_t kTrials = 8;

// Slurm's words for a refusal that is about the node asked for; any other is about the request (slurm_errno.c).
bool is_of_node(std::string_view words) {
  constexpr std::array<std::string_view, 4> kOfNode{
      "Requested node configuration is not available", "Requested nodes are busy",
      "Nodes required for job are DOWN, DRAINED or reserved", "Requested nodes not in this partition"};
  return std::any_of(kOfNode.begin(), kOfNode.end(), [&](auto phrase) { return words.find(phrase) != words.npos; });
}

void add(std::vector<std::string>& argv, std::string_view option, const std::string& value) {
  if (!value.empty()) argv.push_back(fmt::format("--{}={}", option, value));
}

// One task on each of these nodes.
void add_nodes(std::vector<std::string>& argv, const std::vector<std::string>& nodes) {
  const std::string count = std::to_string(nodes.size());
  argv.insert(argv.end(), {"-N", count, "-n", count, "-w", fmt::format("{}", fmt::join(nodes, ","))});
}

}  // namespace

SlurmRequest::SlurmRequest(SlurmOptions options, int stop_fd)
    : options_(std::move(options)), job_(environment("SLURM_JOB_ID")), stop_fd_(stop_fd) {}

Result<void> SlurmRequest::check() const {
  const auto refuse = [](std::string expected, std::string came, std::string remedy) {
    return failure({Error::Kind::usage, std::move(expected), std::move(came), "--slurm", std::move(remedy)});
  };
  for (const std::string* text : {&options_.partition, &options_.account, &options_.qos, &options_.constraint,
                                  &options_.reservation, &options_.nodelist, &options_.time})
    if (text->starts_with('-')) return refuse("a value", "\"" + *text + "\"", "see assay evaluate --help");
  const bool asks = !options_.partition.empty() || !options_.account.empty() || !options_.qos.empty() ||
                    !options_.constraint.empty() || !options_.reservation.empty() || !options_.time.empty();
  if (in_allocation() && asks)
    return refuse("no partition, account, qos, constraint, reservation or time inside job " + job_, "one of them",
                  "leave them out, or run assay outside of the job");
  return {};
}

void SlurmRequest::add_options(std::vector<std::string>& argv) const {
  add(argv, "partition", options_.partition);
  add(argv, "account", options_.account);
  add(argv, "qos", options_.qos);
  add(argv, "constraint", options_.constraint);
  add(argv, "reservation", options_.reservation);
  add(argv, "time", options_.time);
}

Result<void> SlurmRequest::grants(const std::vector<std::string>& nodes, const std::string& gres) const {
  std::vector<std::string> argv{"srun", "--test-only"};
  add_nodes(argv, nodes);
  add_options(argv);
  add(argv, "gres", gres);
  argv.push_back("true");
  const auto output = process::run(argv, slurm_limits(stop_fd_));
  if (!output) return failure(output.error());
  if (output->status == 0 || output->timed_out) return {};
  return failure({Error::Kind::usage, "a request that Slurm grants", last_line(output->err), "srun --test-only",
                  "see sinfo -s, sacctmgr show assoc, scontrol show reservation"});
}

// A node may be refused for reasons of its own, and so may its neighbors of one rack or switch: that is no mistake
// while another can be had, or may be among those that were not tried.
Result<void> SlurmRequest::try_some(const std::vector<std::string>& nodes) const {
  if (in_allocation() || nodes.empty()) return {};
  const std::size_t trials = std::min(kTrials, nodes.size());
  Result<void> granted;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    granted = grants({nodes[trial * nodes.size() / trials]}, "");
    if (granted || !is_of_node(granted.error().came)) return granted;
  }
  return trials < nodes.size() ? Result<void>() : granted;
}

// One node that Slurm can't give (it isn't in the topology, say) makes it refuse them all: halved until they are
// granted or alone, so that it costs only itself.
std::vector<std::vector<std::string>> SlurmRequest::grouped(std::vector<std::string> nodes, const std::string& gres,
                                                            int& trials) const {
  if (in_allocation() || nodes.size() < 2 || trials-- <= 0 || grants(nodes, gres)) return {std::move(nodes)};
  const auto middle = nodes.begin() + static_cast<std::ptrdiff_t>(nodes.size() / 2);
  auto groups = grouped({nodes.begin(), middle}, gres, trials);
  auto others = grouped({middle, nodes.end()}, gres, trials);
  std::move(others.begin(), others.end(), std::back_inserter(groups));
  return groups;
}

std::vector<std::string> SlurmRequest::srun_line(const std::vector<std::string>& nodes, const std::string& gres,
                                                 const std::string& name) const {
  std::vector<std::string> argv{"srun",     "--label",    "--unbuffered", "--no-kill",   "--kill-on-bad-exit=0",
                                "--wait=0", "--mpi=none", "--input=all",  "--export=ALL"};
  argv.insert(argv.end(), {"-J", name, "-m", "arbitrary", "--ntasks-per-node=1", "--cpus-per-task=1"});
  add_nodes(argv, nodes);
  if (in_allocation()) {  // where a step is given all devices of its job
    argv.insert(argv.end(), {"--overlap", "--jobid=" + job_});
    return argv;
  }
  add_options(argv);
  add(argv, "gres", gres);
  add(argv, "immediate", std::to_string(std::max(options_.wait, 2)));  // 1 would mean: at once or not at all
  return argv;
}

}  // namespace assay::cluster
