// Nodes with RDMA ports, written by hand.
#pragma once

#include <string>
#include <vector>

#include "judging.hpp"

namespace assay::testing {

using Observations = std::vector<Observation>;

inline std::string node_path(const std::string& node) { return "cluster/c/node/" + node; }
inline std::string port_path(const std::string& node, const std::string& hca) {
  return node_path(node) + "/hca/" + hca + "/port/1";
}

struct PortFacts {
  std::string state = "ACTIVE";
  std::string phys = "LinkUp";
  double rate = 400;
  std::int64_t lanes = 4;
  std::string layer = "InfiniBand";
  std::string model = "MT4129";
};

inline void add_hca(Observations& all, const std::string& node, const std::string& hca, const PortFacts& facts = {}) {
  const std::string device = node_path(node) + "/hca/" + hca;
  const std::string port = port_path(node, hca);
  all.push_back(seen(device, "hca.type", facts.model));
  all.push_back(seen(port, "port.state", facts.state));
  all.push_back(seen(port, "port.phys-state", facts.phys));
  all.push_back(seen(port, "port.rate", facts.rate, "Gbit/s"));
  all.push_back(seen(port, "port.lanes", facts.lanes));
  all.push_back(seen(port, "port.link-layer", facts.layer));
}

// Nodes with the same adapters, all well.
inline Observations cluster_of(const std::vector<std::string>& nodes, const TextList& hcas,
                               const PortFacts& facts = {}) {
  Observations all;
  for (const std::string& node : nodes) {
    all.push_back(seen(node_path(node), "hca.names", hcas));
    for (const std::string& hca : hcas) add_hca(all, node, hca, facts);
  }
  return all;
}

// Puts something else in the place of what was said, or adds it.
inline Observations with(Observations all, Observation changed) {
  for (Observation& each : all) {
    if (each.subject == changed.subject && each.name == changed.name) {
      each = changed;
      return all;
    }
  }
  all.push_back(changed);
  return all;
}

inline Observations on_port(Observations all, const std::string& node, const std::string& hca, const PortFacts& facts) {
  Observations changed;
  add_hca(changed, node, hca, facts);
  for (Observation& each : changed) all = with(std::move(all), std::move(each));
  return all;
}

// A node without any RDMA.
inline Observations no_rdma(const std::string& node) {
  return {unseen(node_path(node), "hca.names", Absence::missing)};
}

}  // namespace assay::testing
