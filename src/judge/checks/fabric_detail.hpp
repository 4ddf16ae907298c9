// What the checks of RDMA ports share: the ports of a host, hosts that have none, and what is usual among them.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
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

std::vector<Port> ports_of(const Snapshot& snapshot, const Subject& host);
// Of all nodes, by their name.
std::map<std::string, std::vector<Port>> ports_by_name(const Snapshot& snapshot);

// True if the host has no RDMA port to judge: then it has been said why (not applicable, or unknown).
bool without_rdma(const Snapshot& snapshot, const Subject& host, Judgement& judgement);

// The value that more of them hold than any other: two or more, unless there is only one to ask.
template <class T>
std::optional<T> usual(const std::vector<T>& values) {
  std::map<T, std::size_t> counts;
  std::size_t most = values.size() == 1 ? 1 : 2;
  for (const T& value : values) most = std::max(most, ++counts[value]);
  std::optional<T> found;
  for (const auto& [value, count] : counts) {
    if (count != most) continue;
    if (found) return std::nullopt;
    found = value;
  }
  return found;
}

}  // namespace assay::judge::fabric
