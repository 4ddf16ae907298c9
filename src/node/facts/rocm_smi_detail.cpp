#include "node/facts/rocm_smi_detail.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace assay::node::gpu {

namespace {

using nlohmann::json;

// The first of the keys that is there (they were renamed between versions), as text.
Seen<std::string> field(const json& object, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    const auto found = object.find(key);
    if (found == object.end()) continue;
    if (!found->is_string()) return unseen(Absence::malformed, fmt::format("rocm-smi's \"{}\" is no text", key));
    const auto value = found->get<std::string>();
    if (value.empty() || value == "N/A")
      return unseen(Absence::unsupported, fmt::format("rocm-smi says \"{}\" for \"{}\"", value, key));
    return value;
  }
  return unseen(Absence::missing, fmt::format("rocm-smi tells no \"{}\"", *keys.begin()));
}

// "0x1002" is the vendor, in place of a name that the tool's list of devices lacks.
Seen<std::string> product_name(const json& card) {
  auto name = field(card, {"Card series", "Card Series"});
  if (name && name->starts_with("0x"))
    return unseen(Absence::malformed, fmt::format("rocm-smi gives \"{}\" for a name", *name));
  return name;
}

}  // namespace

Seen<RocmReport> parse_rocm(std::string_view text) {
  const json root = json::parse(text, nullptr, false);
  if (!root.is_object())
    return unseen(Absence::malformed,
                  fmt::format("rocm-smi printed no JSON but \"{}\"", text::to_utf8(text::trim(text).substr(0, 80))));
  RocmReport report;
  for (const auto& [key, value] : root.items()) {
    if (!value.is_object()) return unseen(Absence::malformed, fmt::format("rocm-smi's \"{}\" is no object", key));
    if (key == "system") report.driver_version = field(value, {"Driver version"});
    if (!key.starts_with("card")) continue;
    if (const auto bus = field(value, {"PCI Bus"})) report.names.emplace(text::lower(*bus), product_name(value));
  }
  return report;
}

}  // namespace assay::node::gpu
