// What Slurm is asked for: the caller's options as srun takes them, and whether Slurm would grant it, which
// `srun --test-only` tells without queueing anything (5 ms a question on an idle slurmctld of 22.05).
#pragma once

#include <string>
#include <vector>

#include "cluster/slurm.hpp"

namespace assay::cluster {

class SlurmRequest {
 public:
  SlurmRequest(SlurmOptions options, int stop_fd);

  const SlurmOptions& options() const { return options_; }
  // The job that we run in, "" outside of one: its nodes are given already, and what is started is a step of it.
  const std::string& job() const { return job_; }
  bool in_allocation() const { return !job_.empty(); }

  // Nothing that srun would take for another option, and nothing asked of a job that is running already.
  Result<void> check() const;
  // A wrong account, time or reservation is the caller's mistake: told at once, before a run begins.
  Result<void> try_some(const std::vector<std::string>& nodes) const;
  // The nodes in groups that are granted together. `trials` bounds the questions.
  std::vector<std::vector<std::string>> grouped(std::vector<std::string> nodes, const std::string& gres,
                                                int& trials) const;
  // srun and its options, for one task on each node; `name` is the job's or step's.
  std::vector<std::string> srun_line(const std::vector<std::string>& nodes, const std::string& gres,
                                     const std::string& name) const;

 private:
  Result<void> grants(const std::vector<std::string>& nodes, const std::string& gres) const;
  void add_options(std::vector<std::string>& argv) const;

  SlurmOptions options_;
  std::string job_;
  int stop_fd_;
};

}  // namespace assay::cluster
