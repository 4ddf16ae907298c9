// What of the RDMA stack is loaded: without nvidia_peermem (or dma-buf) an adapter can't read a GPU's memory by itself.
#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

constexpr std::array<std::string_view, 15> kModules = {
    "bnxt_re",   "efa",     "gdrdrv",      "ib_core",   "ib_ipoib",       "ib_umad", "ib_uverbs", "irdma",
    "mlx5_core", "mlx5_ib", "nv_peer_mem", "nvidia_fs", "nvidia_peermem", "rdma_cm", "rdma_rxe"};

constexpr Emits kEmits[] = {
    {"rdma.modules", "", "", "kernel modules of RDMA and GPUDirect that are loaded; built-in ones aren't told"},
};

Seen<TextList> loaded(const std::string& modules) {
  TextList names;
  for (const std::string_view line : text::lines(modules)) {
    const auto words = text::words(line);
    if (words.size() < 6) return unseen(Absence::malformed, "/proc/modules has a line of too few words");
    if (std::find(kModules.begin(), kModules.end(), words.front()) != kModules.end()) names.emplace_back(words.front());
  }
  std::sort(names.begin(), names.end());
  return names;
}

void read(Host& host, Findings& findings) {
  findings.say({}, "rdma.modules", host.text("/proc/modules").and_then(loaded), "/proc/modules");
}

}  // namespace

extern const Reader rdma = {"rdma", "loaded modules of RDMA and GPUDirect", std::chrono::seconds(5), kEmits, read};

}  // namespace assay::node::facts
