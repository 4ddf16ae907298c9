// What the checks of RDMA ports share: the ports of a host, and hosts that have none.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "judge/check.hpp"

namespace assay::judge::fabric {

struct Port {
  Subject host;
  Subject hca;
  Subject subject;
  std::string name;   // mlx5_0/1: the same on every node for what should be the same port
  std::string model;  // the adapter's type, "?" where it wasn't seen
};

// Those that the host lists, and those of which anything else was said.
std::vector<Subject> hcas_of(const Snapshot& snapshot, const Subject& host);
// Every device has a first port: of one that told none, it is among them with nothing said of it, so that it is unknown
// rather than left out.
std::vector<Port> ports_of(const Snapshot& snapshot, const Subject& host);
// Of all nodes, by their name.
std::map<std::string, std::vector<Port>> ports_by_name(const Snapshot& snapshot);

// How many nodes didn't tell which RDMA devices they have: each may have any port.
std::size_t silent_nodes(const Snapshot& snapshot);

// True if the host has no RDMA port to judge: then it has been said why (not applicable, or unknown).
bool without_rdma(const Snapshot& snapshot, const Subject& host, Judgement& judgement);

}  // namespace assay::judge::fabric
