#include "yaml_json.hpp"

#include <yaml-cpp/yaml.h>

#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace assay::testing {

namespace {

nlohmann::json convert(const YAML::Node& node) {
  if (node.IsMap()) {
    auto object = nlohmann::json::object();
    for (const auto& entry : node) object[entry.first.Scalar()] = convert(entry.second);
    return object;
  }
  if (node.IsSequence()) {
    auto array = nlohmann::json::array();
    for (const auto& item : node) array.push_back(convert(item));
    return array;
  }
  // A quoted scalar has the tag "!": it is text whatever it looks like.
  if (node.Tag() != "!") {
    if (node.Scalar() == "true" || node.Scalar() == "false") return node.Scalar() == "true";
    if (const auto whole = text::integer(node.Scalar())) return *whole;
    if (const auto number = text::decimal(node.Scalar())) return *number;
  }
  return node.Scalar();
}

}  // namespace

nlohmann::json json_of_yaml(const std::string& yaml) { return convert(YAML::Load(yaml)); }

}  // namespace assay::testing
