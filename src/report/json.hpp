// report.json, the machine-readable face; docs/schemas/report.schema.json describes it, and it is stable: fields are
// added, never renamed. The HTML page holds the same content packed (packed.hpp).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "report/model.hpp"

namespace assay::report {

// One entry of verdicts, absent, checks, observations or artifacts on a line, so that two reports can be compared line
// by line. UTF-8; bytes of nodes that aren't become U+FFFD.
std::string to_json_text(const Report& report);

// The parts that the page holds too.
nlohmann::ordered_json run_to_json(const Report& report);
nlohmann::ordered_json rating_to_json(const Report& report);  // null if the run wasn't rated
nlohmann::ordered_json gap_to_json(const Gap& gap);
nlohmann::ordered_json check_to_json(const catalog::Check& check);
nlohmann::ordered_json observation_to_json(const Observation& observation);  // without its id
nlohmann::ordered_json transcript_to_json(const Transcript& transcript);

// Compact, on one line.
std::string dump(const nlohmann::ordered_json& json);

}  // namespace assay::report
