// What the GPUs' exporter shows: one check for each thing that people who run jobs need to see. dcgm-exporter leaves
// some of them out unless its list of counters is changed.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "judge/checks/exporters_detail.hpp"

namespace assay::judge::checks {

namespace {

using Basis = std::vector<const Observation*>;

// Any name of each row will do; all rows are needed.
using Row = std::vector<std::string_view>;

struct Shown {
  std::string_view check;
  std::vector<Row> rows;
};

const std::array<Shown, 7>& all() {
  static const std::array<Shown, 7> shown = {{
      {"monitoring.sm-active", {{"DCGM_FI_PROF_SM_ACTIVE"}}},
      {"monitoring.sm-occupancy", {{"DCGM_FI_PROF_SM_OCCUPANCY"}}},
      {"monitoring.tensor-active", {{"DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", "DCGM_FI_PROF_PIPE_TENSOR_HMMA_ACTIVE"}}},
      {"monitoring.pcie-replay", {{"DCGM_FI_DEV_PCIE_REPLAY_COUNTER"}}},
      {"monitoring.ecc-shown",
       {{"DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", "DCGM_FI_DEV_ECC_DBE_AGG_TOTAL", "DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS"}}},
      {"monitoring.power-and-temperature",
       {{"DCGM_FI_DEV_POWER_USAGE", "DCGM_FI_DEV_POWER_USAGE_INSTANT"}, {"DCGM_FI_DEV_GPU_TEMP"}}},
      {"monitoring.link-throughput",
       {{"DCGM_FI_PROF_PCIE_TX_BYTES", "DCGM_FI_DEV_PCIE_TX_THROUGHPUT"},
        {"DCGM_FI_PROF_PCIE_RX_BYTES", "DCGM_FI_DEV_PCIE_RX_THROUGHPUT"}}},
  }};
  return shown;
}

bool has_any(const TextList& metrics, const Row& row) {
  return std::any_of(row.begin(), row.end(), [&](std::string_view name) {
    return std::find(metrics.begin(), metrics.end(), name) != metrics.end();
  });
}

void judge_node(const Snapshot& snapshot, Judgement& judgement, const Subject& node, const std::vector<Row>& rows) {
  const auto metrics = snapshot.list(node.child("exporter", "dcgm"), "exporter.metrics");
  if (!metrics) return judgement.unknown(node, metrics);
  std::vector<std::string_view> lacking;
  std::vector<std::string_view> there;
  for (const Row& row : rows) (has_any(*metrics, row) ? there : lacking).push_back(row.front());
  const bool dcgm = std::any_of(metrics.value->begin(), metrics.value->end(),
                                [](const std::string& name) { return name.starts_with("DCGM_FI_"); });
  // What isn't dcgm-exporter at all is monitoring.dcgm-exporter's finding; of what the real one would show it says
  // nothing.
  if (!dcgm) return judgement.unknown(node, "what answers on its port isn't dcgm-exporter", {metrics.observation});
  if (!lacking.empty())
    return judgement.fail(node, fmt::format("no {}", fmt::join(lacking, ", ")),
                          fmt::format("of {} metrics none is {}", metrics.value->size(), fmt::join(lacking, " or ")),
                          {metrics.observation});
  judgement.pass(node, fmt::format("{}", fmt::join(there, ", ")), "dcgm-exporter gives it", {metrics.observation});
}

template <std::size_t Index>
void shown(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& node : snapshot.nodes())
    if (!needs_no_dcgm(snapshot, judgement, node)) judge_node(snapshot, judgement, node, all()[Index].rows);
}

template <std::size_t... Index>
Family entries(std::index_sequence<Index...>) {
  return {Entry{all()[Index].check, shown<Index>}...};
}

}  // namespace

extern const Family gpu_metrics = entries(std::make_index_sequence<7>());

}  // namespace assay::judge::checks
