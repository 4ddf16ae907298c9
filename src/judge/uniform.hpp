// Comparing nodes with each other. What most of them have (majority.hpp) is the reference, and the odd ones are named;
// where no value has more than half, nobody can say who is odd, and the difference is told of the cluster.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "judge/check.hpp"

namespace assay::judge {

// Nodes of one kind are compared with each other only: those of another architecture may well run another kernel. A
// node alone of its kind has nothing to be compared with, and one whose kind wasn't seen is unknown.
using KindOf = std::optional<std::string> (*)(const Snapshot& snapshot, const Subject& node);

struct Uniform {
  std::string_view observation;  // a text
  std::string_view what;         // "kernel": for the sentences
  Status odd = Status::fail;     // what a node that differs from most is
  KindOf kind = nullptr;         // unset: all nodes are of one kind
};

void judge_uniform(const Uniform& rule, const Snapshot& snapshot, Judgement& judgement);

// Architecture, and whether the node has GPUs.
std::optional<std::string> kind_of_node(const Snapshot& snapshot, const Subject& node);

// "n1, n2, n3 and 61 more".
std::string some_of(const std::vector<Subject>& nodes);

}  // namespace assay::judge
