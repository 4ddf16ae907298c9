#include "node/vocabulary.hpp"

namespace assay::node {

const Emits* declared(std::span<const Emits> emits, std::string_view name) {
  for (const Emits& each : emits) {
    const bool open_ended = each.name.ends_with(".*");
    if (open_ended ? name.starts_with(each.name.substr(0, each.name.size() - 1)) : name == each.name) return &each;
  }
  return nullptr;
}

}  // namespace assay::node
