// Observations as JSON, the one spelling shared by the agent's lines, the store's rows and report.json. Reading is
// strict and bounded, for it reads what nodes say: a wrong type, an unknown absence or an overlong text is refused
// whole.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "evidence/observation.hpp"

namespace assay::codec {

inline constexpr std::size_t kLongestText = 64u << 10;
inline constexpr std::size_t kMostItems = 8192;
inline constexpr std::size_t kLongestName = 96;

nlohmann::json to_json(const Value& value);
Result<Value> value_from_json(const nlohmann::json& json);

// {"subject","name","value"|"absent"+"detail","unit","time","source"}; id and artifact are the store's business.
nlohmann::json to_json(const Observation& observation);
Result<Observation> observation_from_json(const nlohmann::json& json);

// JSON text on one line; bytes that aren't UTF-8 become U+FFFD.
std::string dump(const nlohmann::json& json);

}  // namespace assay::codec
