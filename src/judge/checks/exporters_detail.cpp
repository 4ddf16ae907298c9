#include "judge/checks/exporters_detail.hpp"

#include <algorithm>

namespace assay::judge {

bool needs_no_dcgm(const Snapshot& snapshot, Judgement& judgement, const Subject& node) {
  const auto count = snapshot.integer(node, "gpu.count");
  if (count && *count == 0) {
    judgement.not_applicable(node, "the node has no GPU", {count.observation});
    return true;
  }
  // What else there may be wasn't seen, so nothing says that all are AMD's.
  if (!count) return false;
  const auto gpus = snapshot.parts(node, "gpu");
  std::vector<const Observation*> basis;
  const bool all_amd = std::all_of(gpus.begin(), gpus.end(), [&](const Subject& gpu) {
    const auto vendor = snapshot.text(gpu, "gpu.vendor");
    basis.push_back(vendor.observation);
    return vendor && *vendor == "amd";
  });
  if (static_cast<std::int64_t>(gpus.size()) < *count || !all_amd) return false;
  judgement.not_applicable(node, "the node's GPUs are AMD's, which DCGM knows nothing of", basis);
  return true;
}

}  // namespace assay::judge
