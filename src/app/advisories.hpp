// What `assay advisories` shows, as JSON and for people.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "advisory/decide.hpp"
#include "advisory/importing.hpp"

namespace assay::app {

// The database of imported advisories: --database, else ASSAY_ADVISORIES, else advisories.db under the user's data
// folder (XDG_DATA_HOME/assay or ~/.local/share/assay).
std::filesystem::path advisories_file(const std::string& told);
// Today's ISO date, UTC.
std::string today();

nlohmann::ordered_json why_json(const advisory::Question& question, const advisory::Answer& answer);
std::string why_text(const advisory::Question& question, const advisory::Answer& answer);

nlohmann::ordered_json imported_json(const advisory::Imported& imported);
// `all`: each refused text; otherwise the first few.
std::string imported_text(const advisory::Imported& imported, bool all);

Result<nlohmann::ordered_json> status_json(const advisory::Knowledge& knowledge, const std::filesystem::path& file,
                                           const std::string& day);
std::string status_text(const nlohmann::ordered_json& status);

nlohmann::ordered_json components_json(const std::vector<advisory::Component>& components);

}  // namespace assay::app
