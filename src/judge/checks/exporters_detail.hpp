// Which nodes NVIDIA's exporter is asked of.
#pragma once

#include "judge/check.hpp"

namespace assay::judge {

// Says not_applicable, and true, for a node without GPUs or with AMD's.
bool needs_no_dcgm(const Snapshot& snapshot, Judgement& judgement, const Subject& node);

}  // namespace assay::judge
