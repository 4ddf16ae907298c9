// What checks on GPUs share: which nodes have any, each GPU in turn, and values compared between nodes.
#pragma once

#include <functional>
#include <string_view>

#include "judge/check.hpp"
#include "judge/siblings.hpp"

namespace assay::judge::gpu {

// Calls `each` for every GPU of every node. A node without GPUs is not applicable, one whose GPUs couldn't be counted
// unknown, and so is one of which fewer were seen than its driver counts.
void for_each(const Snapshot& snapshot, Judgement& judgement,
              const std::function<void(const Subject& node, const Subject& gpu)>& each);

// The GPUs that nobody saw, of nodes that weren't counted or told fewer than their driver counts: each may be of any
// model.
void add_unseen(const Snapshot& snapshot, Models& models);

// Calls `each` for every node that has GPUs; the others as above.
void for_each_node(const Snapshot& snapshot, Judgement& judgement, const std::function<void(const Subject&)>& each);

// One value of each node with GPUs, compared over the cluster: the odd nodes fail; without a majority the
// difference is a warning on the cluster.
void compare_nodes(const Snapshot& snapshot, Judgement& judgement, std::string_view observation, std::string_view what);

// The row of gpu-generations for a product name, by its whole words; nullptr if none of them is known.
const Record* generation_of(const catalog::Table& generations, std::string_view product);

}  // namespace assay::judge::gpu
