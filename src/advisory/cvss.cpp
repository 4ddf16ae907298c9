#include "advisory/cvss.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/text.hpp"

namespace assay::advisory {

namespace {

using Metrics = std::map<std::string_view, std::string_view>;

// The value's weight, or nothing.
std::optional<double> weight(const Metrics& metrics, std::string_view metric,
                             std::initializer_list<std::pair<std::string_view, double>> weights) {
  const auto found = metrics.find(metric);
  if (found == metrics.end()) return std::nullopt;
  for (const auto& [value, number] : weights)
    if (found->second == value) return number;
  return std::nullopt;
}

// To one decimal, upwards, without the error of binary fractions.
double round_up(double value) {
  const double scaled = std::round(value * 100000);
  return std::fmod(scaled, 10000) == 0 ? scaled / 100000 : (std::floor(scaled / 10000) + 1) / 10;
}

std::optional<Metrics> metrics_of(std::string_view vector) {
  Metrics metrics;
  for (const std::string_view part : text::split(vector, '/')) {
    const auto colon = part.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    if (!metrics.emplace(part.substr(0, colon), part.substr(colon + 1)).second) return std::nullopt;
  }
  return metrics;
}

}  // namespace

std::optional<double> cvss_base_score(std::string_view vector) {
  const auto metrics = metrics_of(vector);
  if (!metrics || metrics->size() > 64) return std::nullopt;
  const auto version = metrics->find("CVSS");
  if (version == metrics->end() || (version->second != "3.0" && version->second != "3.1")) return std::nullopt;
  const auto scope = weight(*metrics, "S", {{"U", 0}, {"C", 1}});
  if (!scope) return std::nullopt;
  const bool changed = *scope == 1;
  const auto attack = weight(*metrics, "AV", {{"N", 0.85}, {"A", 0.62}, {"L", 0.55}, {"P", 0.2}});
  const auto complexity = weight(*metrics, "AC", {{"L", 0.77}, {"H", 0.44}});
  const auto privileges =
      weight(*metrics, "PR", {{"N", 0.85}, {"L", changed ? 0.68 : 0.62}, {"H", changed ? 0.5 : 0.27}});
  const auto interaction = weight(*metrics, "UI", {{"N", 0.85}, {"R", 0.62}});
  std::array<double, 3> impacts = {};
  constexpr std::array<std::string_view, 3> kImpacts = {"C", "I", "A"};
  for (std::size_t i = 0; i < impacts.size(); ++i) {
    const auto impact = weight(*metrics, kImpacts[i], {{"H", 0.56}, {"L", 0.22}, {"N", 0}});
    if (!impact) return std::nullopt;
    impacts[i] = *impact;
  }
  if (!attack || !complexity || !privileges || !interaction) return std::nullopt;

  const double base = 1 - (1 - impacts[0]) * (1 - impacts[1]) * (1 - impacts[2]);
  const double impact = changed ? 7.52 * (base - 0.029) - 3.25 * std::pow(base - 0.02, 15) : 6.42 * base;
  if (impact <= 0) return 0;
  const double exploitability = 8.22 * *attack * *complexity * *privileges * *interaction;
  return round_up(std::min((changed ? 1.08 : 1.0) * (impact + exploitability), 10.0));
}

}  // namespace assay::advisory
