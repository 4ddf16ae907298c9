// Nodes with GPUs, written by hand for the GPU checks.
#pragma once

#include <string>
#include <vector>

#include "judging.hpp"

namespace assay::testing {

using Observations = std::vector<Observation>;

inline std::string node_path(int node) { return "cluster/c/node/n" + std::to_string(node); }
inline std::string gpu_path(int node, int gpu) { return node_path(node) + "/gpu/" + std::to_string(gpu); }

// A sound node: `gpus` H100 that their driver answers for, all on the bus.
Observations sound_node(int node, int gpus = 2);
// Nodes 1 to `nodes`, each sound.
Observations sound_nodes(int nodes, int gpus = 2);
// A node that was seen to hold no GPU.
Observations bare_node(int node);
// Replaces what is said of one name, or adds it.
Observations with(Observations observations, const Observation& changed);

}  // namespace assay::testing
