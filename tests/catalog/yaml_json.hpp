// YAML as the JSON that it means, for holding data files against JSON Schemas.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace assay::testing {

nlohmann::json json_of_yaml(const std::string& yaml);

}  // namespace assay::testing
