// Exporters of metrics: one that answers with the metrics it is there for. An open port is no proof, and neither is a
// process of its name, which any user can start; one in a pod's own network can't be asked from the node.
#include <fmt/format.h>

#include <algorithm>

#include "judge/checks/exporters_detail.hpp"

namespace assay::judge::checks {

namespace {

using Basis = std::vector<const Observation*>;

struct Exporter {
  std::string_view name;     // subject: exporter/dcgm
  std::string_view service;  // subject: service/dcgm-exporter
  std::string_view prefix;   // of the metrics it is there for
};

std::int64_t count_with(const TextList& names, std::string_view prefix) {
  return std::count_if(names.begin(), names.end(), [&](const std::string& name) { return name.starts_with(prefix); });
}

void judge_answer(const Snapshot& snapshot, Judgement& judgement, const Subject& node, const Exporter& exporter,
                  Basis basis) {
  const auto metrics = snapshot.list(node.child("exporter", exporter.name), "exporter.metrics");
  basis.push_back(metrics.observation);
  if (!metrics) return judgement.unknown(node, metrics.gap, basis);
  const auto own = count_with(*metrics, exporter.prefix);
  if (own == 0)
    return judgement.fail(node, fmt::format("{} metrics, none of its own", metrics.value->size()),
                          fmt::format("what answers on its port has no {} metric", exporter.prefix), basis);
  judgement.pass(node, fmt::format("{} metrics", own), "it answers with the metrics that it is there for", basis);
}

// Nothing listens on its port of the loopback: it may still run in a network of its own.
void judge_process(const Snapshot& snapshot, Judgement& judgement, const Subject& node, const Exporter& exporter,
                   Basis basis) {
  const auto running = snapshot.boolean(node.child("service", exporter.service), "service.running");
  basis.push_back(running.observation);
  if (!running) return judgement.unknown(node, running.gap, basis);
  if (!*running)
    return judgement.fail(
        node, "not running",
        fmt::format("{} doesn't run: nothing listens on its port and no process has its name", exporter.service),
        basis);
  judgement.unknown(node,
                    "a process has its name, but nothing answers on this node's loopback: it may be in a pod's own "
                    "network, or anything",
                    basis);
}

void judge_exporter(const Snapshot& snapshot, Judgement& judgement, const Subject& node, const Exporter& exporter) {
  const Subject subject = node.child("exporter", exporter.name);
  const auto state = snapshot.text(subject, "exporter.state");
  const auto detail = snapshot.text(subject, "exporter.detail");
  const Basis basis = {state.observation, detail.observation};
  if (!state) return judgement.unknown(node, state);
  if (*state == "answers") return judge_answer(snapshot, judgement, node, exporter, basis);
  if (*state == "closed") return judge_process(snapshot, judgement, node, exporter, basis);
  if (*state == "silent" || *state == "other")
    return judgement.fail(node, *state,
                          fmt::format("{}'s port is open and gives no metrics ({})", exporter.service,
                                      detail.value.value_or("nothing more is known")),
                          basis);
  judgement.unknown(node, fmt::format("exporter.state is \"{}\", which isn't known", *state), basis);
}

void dcgm_exporter(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& node : snapshot.nodes())
    if (!needs_no_dcgm(snapshot, judgement, node))
      judge_exporter(snapshot, judgement, node, {"dcgm", "dcgm-exporter", "DCGM_FI_"});
}

void node_exporter(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& node : snapshot.nodes())
    judge_exporter(snapshot, judgement, node, {"node", "node-exporter", "node_"});
}

}  // namespace

extern const Family exporters = {
    {"monitoring.dcgm-exporter", dcgm_exporter},
    {"monitoring.node-exporter", node_exporter},
};

}  // namespace assay::judge::checks
