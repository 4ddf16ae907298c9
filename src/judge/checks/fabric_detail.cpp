#include "judge/checks/fabric_detail.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace assay::judge::fabric {

std::vector<Subject> hcas_of(const Snapshot& snapshot, const Subject& host) {
  std::vector<Subject> hcas = snapshot.parts(host, "hca");
  for (const std::string& name : snapshot.list(host, "hca.names").value.value_or(TextList()))
    if (const Subject hca = host.child("hca", name); std::find(hcas.begin(), hcas.end(), hca) == hcas.end())
      hcas.push_back(hca);
  return hcas;
}

std::vector<Port> ports_of(const Snapshot& snapshot, const Subject& host) {
  std::vector<Port> ports;
  for (const Subject& hca : hcas_of(snapshot, host)) {
    const std::string model = snapshot.text(hca, "hca.type").value.value_or("?");
    std::vector<Subject> own = snapshot.parts(hca, "port");
    if (own.empty()) own.push_back(hca.child("port", "1"));
    for (const Subject& port : own)
      ports.push_back({host, hca, port, fmt::format("{}/{}", hca.id(), port.id()), model});
  }
  return ports;
}

std::map<std::string, std::vector<Port>> ports_by_name(const Snapshot& snapshot) {
  std::map<std::string, std::vector<Port>> all;
  for (const Subject& node : snapshot.nodes())
    for (Port& port : ports_of(snapshot, node)) all[port.name].push_back(std::move(port));
  return all;
}

std::size_t silent_nodes(const Snapshot& snapshot) {
  const auto& nodes = snapshot.nodes();
  return static_cast<std::size_t>(std::count_if(nodes.begin(), nodes.end(), [&](const Subject& node) {
    const auto names = snapshot.list(node, "hca.names");
    return !names && !names.missing() && ports_of(snapshot, node).empty();
  }));
}

bool without_rdma(const Snapshot& snapshot, const Subject& host, Judgement& judgement) {
  const auto names = snapshot.list(host, "hca.names");
  if (!names && !names.missing()) {
    judgement.unknown(host, names);
    return true;
  }
  if (names && !names.value->empty()) return false;
  for (const Subject& device : snapshot.parts(host, "pci")) {
    const auto code = snapshot.text(device, "pci.class");
    if (code.failed()) {
      judgement.unknown(host, fmt::format("whether {} is an InfiniBand adapter: {}", device.id(), code.gap),
                        {code.observation});
      return true;
    }
    if (!code || !code.value->starts_with("0207")) continue;
    judgement.unknown(host,
                      fmt::format("the kernel shows no RDMA device though {} is an InfiniBand adapter", device.id()),
                      {names.observation, code.observation});
    return true;
  }
  judgement.not_applicable(host, "the host has no RDMA device", {names.observation});
  return true;
}

}  // namespace assay::judge::fabric
