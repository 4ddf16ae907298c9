// Adapters of one model run one firmware, all over the cluster. A model is the driver's name for it and the maker's
// board id: boards made for a server's vendor have releases of their own.
#include <fmt/format.h>

#include "judge/checks/fabric_detail.hpp"
#include "judge/siblings.hpp"

namespace assay::judge::checks {

namespace {

// Soft adapters (rxe, siw) are no device, and have no firmware.
bool soft(const Snapshot& snapshot, const Subject& hca, Judgement& judgement) {
  const auto firmware = snapshot.text(hca, "hca.firmware");
  const auto device = snapshot.text(hca, "hca.pci");
  if (firmware || !device.missing()) return false;
  judgement.not_applicable(hca, "it is made in software and has no firmware",
                           {device.observation, firmware.observation});
  return true;
}

void add(const Snapshot& snapshot, const Subject& hca, Models& models, Judgement& judgement) {
  const auto type = snapshot.text(hca, "hca.type");
  const auto board = snapshot.text(hca, "hca.board-id");
  const auto firmware = snapshot.text(hca, "hca.firmware");
  // Not every maker's driver has board ids.
  const bool named = type && (board || board.missing());
  const std::string model = !named ? "" : board ? fmt::format("{} ({})", *type, *board) : *type;
  if (named && firmware) return models.of(model).add(hca, *firmware, firmware.observation);
  models.add_silent(named ? std::optional(model) : std::nullopt);
  judgement.unknown(hca,
                    !firmware ? firmware.gap
                    : !type   ? type.gap
                              : board.gap,
                    {firmware.observation, type.observation, board.observation});
}

void firmware_uniform(const Snapshot& snapshot, Judgement& judgement) {
  Models models;
  for (const Subject& node : snapshot.nodes()) {
    const auto names = snapshot.list(node, "hca.names");
    if (!names || names.value->empty()) {
      if (!names && !names.missing()) models.add_silent_node();
      fabric::without_rdma(snapshot, node, judgement);
    }
    for (const Subject& hca : fabric::hcas_of(snapshot, node)) {
      if (!soft(snapshot, hca, judgement)) add(snapshot, hca, models, judgement);
    }
  }
  models.judge(judgement, "firmware", [](const std::string& value) { return value; });
}

}  // namespace

extern const Family adapter_firmware = {{"lifecycle.hca-firmware-uniform", firmware_uniform}};

}  // namespace assay::judge::checks
