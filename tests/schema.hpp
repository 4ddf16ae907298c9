// JSON held against the schemas in docs/schemas.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace assay::testing {

// `schema` is a file name in docs/schemas. Empty if the document follows it, else what it breaks, a line each.
std::string breaks_schema(const std::string& schema, const nlohmann::json& document);

}  // namespace assay::testing
