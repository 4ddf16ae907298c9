#include "schema.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wconversion"
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
#pragma GCC diagnostic pop

namespace assay::testing {

namespace {

using valijson::adapters::NlohmannJsonAdapter;

nlohmann::json load(const std::string& schema) {
  std::ifstream stream(std::string(ASSAY_SOURCE_DIR) + "/docs/schemas/" + schema);
  return nlohmann::json::parse(stream);
}

// A schema may stand on a neighbor: {"$ref": "rating.schema.json"}.
const nlohmann::json* fetch(const std::string& uri) { return new nlohmann::json(load(uri)); }
void release(const nlohmann::json* document) { delete document; }

}  // namespace

std::string breaks_schema(const std::string& schema, const nlohmann::json& document) {
  const nlohmann::json held = load(schema);
  valijson::Schema parsed;
  valijson::SchemaParser().populateSchema(NlohmannJsonAdapter(held), parsed, fetch, release);
  valijson::ValidationResults results;
  valijson::Validator validator;
  if (validator.validate(parsed, NlohmannJsonAdapter(document), &results)) return {};
  std::string words;
  for (valijson::ValidationResults::Error error; results.popError(error);) {
    for (const std::string& step : error.context) words += step;
    words += ": " + error.description + "\n";
  }
  return words.empty() ? "invalid" : words;
}

}  // namespace assay::testing
