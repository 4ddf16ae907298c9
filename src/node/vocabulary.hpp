// The names that readers may say, declared beside each: what comes from a node is held to them, checks are linted
// against them, and docs/observations.md is made from them.
#pragma once

#include <map>
#include <span>
#include <string_view>

namespace assay::node {

struct Emits {
  std::string_view name;     // gpu.memory-total; one that ends in ".*" stands for all that begin so
  std::string_view subject;  // kinds of the relative subject: "" for the node itself, "gpu", "device"
  std::string_view unit;     // UCUM; empty for text and yes/no
  std::string_view meaning;
};

// The entry that declares a name, or nullptr.
const Emits* declared(std::span<const Emits> emits, std::string_view name);

// What each reader may say, by its id.
using Vocabulary = std::map<std::string_view, std::span<const Emits>>;

}  // namespace assay::node
