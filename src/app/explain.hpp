// Everything about one check, item or criterion.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/catalogue.hpp"

namespace assay::app {

// {"schema":"assay.explain/1","kind":"check"|"item"|"criterion", …}. An unknown id is an error that names near ones.
Result<nlohmann::ordered_json> explain(const Catalogue& catalogue, const std::string& id);
// The same for people: a line a field, lists indented.
std::string explain_text(const nlohmann::ordered_json& explained);

// {"schema":"assay.checks/1","checks":[…]}, described by docs/schemas/checks.schema.json.
nlohmann::ordered_json checks_json(const Catalogue& catalogue);

}  // namespace assay::app
