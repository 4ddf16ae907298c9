#include "report/rated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace assay::report {

namespace {

using Json = nlohmann::ordered_json;

const Json& at(const Json& json, const char* key) {
  static const Json kNone;
  const auto found = json.is_object() ? json.find(key) : json.end();
  return found != json.end() ? *found : kNone;
}

std::string text_at(const Json& json, const char* key) {
  const Json& field = at(json, key);
  return field.is_string() ? field.get<std::string>() : std::string();
}

double number_at(const Json& json, const char* key, double otherwise) {
  const Json& field = at(json, key);
  return field.is_number() ? field.get<double>() : otherwise;
}

double share_at(const Json& json, const char* key, double otherwise) {
  return std::clamp(number_at(json, key, otherwise), 0.0, 1.0);
}

Rated::Span span_at(const Json& json, const char* key) {
  const double low = share_at(at(json, key), "low", 0);
  return {low, std::max(low, share_at(at(json, key), "high", 1))};
}

// Entries of an array; none of anything else.
std::vector<Json> list_at(const Json& json, const char* key) {
  const Json& field = at(json, key);
  return field.is_array() ? field.get<std::vector<Json>>() : std::vector<Json>();
}

}  // namespace

std::optional<Rated> read_rating(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  Rated rated;
  rated.rubric = text_at(json, "rubric");
  rated.summary = text_at(json, "summary");
  rated.tier = text_at(json, "tier");
  rated.tier_low = text_at(json, "tier_low");
  rated.tier_high = text_at(json, "tier_high");
  rated.score = span_at(json, "score");
  rated.seen = share_at(json, "seen", 0);
  for (const Json& gate : list_at(json, "gates")) {
    const std::string status = text_at(gate, "status");
    if (status == "fail") rated.failed_gates.push_back(text_at(gate, "why"));
    if (status == "unknown") ++rated.open_gates;
  }
  for (const Json& closing : list_at(json, "closes"))
    rated.closes.push_back({text_at(closing, "title"), text_at(closing, "words")});
  for (const Json& criterion : list_at(json, "criteria")) {
    const Json& applies = at(criterion, "applies");
    rated.criteria.push_back({text_at(criterion, "id"), text_at(criterion, "title"), number_at(criterion, "weight", 0),
                              share_at(criterion, "seen", 0), !applies.is_boolean() || applies.get<bool>(),
                              span_at(criterion, "score")});
  }
  return rated;
}

std::string to_text(const Rated::Span& span) {
  const double low = std::round(span.low * 100);
  const double high = std::round(span.high * 100);
  return low == high ? fmt::format("{:.0f}", low) : fmt::format("{:.0f} to {:.0f}", low, high);
}

std::string percent(double share) {
  // Nearly all isn't all, and hardly anything isn't nothing.
  const double rounded = std::round(share * 100);
  if (share < 1 && rounded >= 100) return "99 %";
  if (share > 0 && rounded <= 0) return "< 1 %";
  return fmt::format("{:.0f} %", rounded);
}

}  // namespace assay::report
