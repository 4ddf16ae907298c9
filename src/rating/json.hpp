// A rating as JSON: report.json's "rating", described by docs/schemas/rating.schema.json.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "rating/rating.hpp"

namespace assay::rating {

nlohmann::ordered_json to_json(const Rating& rating);

}  // namespace assay::rating
