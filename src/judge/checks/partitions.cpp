// InfiniBand partition keys: bit 15 is full membership, the rest names the partition. Full members of the default
// partition reach every other port of the fabric.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "judge/checks/fabric_detail.hpp"

namespace assay::judge::checks {

namespace {

void judge_port(const Snapshot& snapshot, const fabric::Port& port, Judgement& judgement) {
  const auto layer = snapshot.text(port.subject, "port.link-layer");
  const auto state = snapshot.text(port.subject, "port.state");
  const auto keys = snapshot.list(port.subject, "port.pkeys");
  if (!layer) return judgement.unknown(port.subject, layer);
  if (*layer != "InfiniBand")
    return judgement.not_applicable(port.subject, fmt::format("its link layer is {}, which has no partitions", *layer),
                                    {layer.observation});
  if (!state) return judgement.unknown(port.subject, state);
  if (*state != "ACTIVE")
    return judgement.not_applicable(
        port.subject, fmt::format("the port is {}: no subnet manager has filled its table of partitions", *state),
        {state.observation});
  if (!keys) return judgement.unknown(port.subject, keys);
  const std::vector<const Observation*> basis = {layer.observation, state.observation, keys.observation};
  if (keys.value->empty()) return judgement.unknown(port.subject, "an active port's table holds no key", basis);
  const std::string measured = fmt::format("{}", fmt::join(*keys, ", "));
  if (std::find(keys.value->begin(), keys.value->end(), "0xffff") != keys.value->end())
    return judgement.fail(port.subject, measured,
                          "the port is a full member of the default partition (0xffff), so it reaches every port of "
                          "the fabric and every port reaches it",
                          basis);
  judgement.pass(port.subject, measured, "the port is no full member of the default partition", basis);
}

void infiniband_partitions(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& host : snapshot.hosts()) {
    fabric::without_rdma(snapshot, host, judgement);
    for (const fabric::Port& port : fabric::ports_of(snapshot, host)) judge_port(snapshot, port, judgement);
  }
}

}  // namespace

extern const Family partitions = {{"security.infiniband-partitions", infiniband_partitions}};

}  // namespace assay::judge::checks
