// Nodes through Slurm (slurm.cpp).
#pragma once

#include <memory>
#include <string>

#include "cluster/launcher.hpp"

namespace assay::cluster {

// Everything the scheduler needs to be told; empty: its default.
struct SlurmOptions {
  std::string partition, account, qos, constraint, reservation, nodelist, time;
  int node_count = 0;  // 0: all of the partition that can be had
  int wait = 300;      // s in the queue before giving up
};

std::unique_ptr<Launcher> make_slurm(SlurmOptions options, Waiting waiting = {});

}  // namespace assay::cluster
