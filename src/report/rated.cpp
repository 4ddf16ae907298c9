#include "report/rated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/wording.hpp"

namespace assay::report {

using rating::Gate;
using rating::Rating;

std::string to_text(const rating::Interval& score) {
  const double low = std::round(score.low * 100);
  const double high = std::round(score.high * 100);
  return low == high ? fmt::format("{:.0f}", low) : fmt::format("{:.0f} to {:.0f}", low, high);
}

std::string percent(double share) {
  // Nearly all isn't all, and hardly anything isn't nothing.
  const double rounded = std::round(share * 100);
  if (share < 1 && rounded >= 100) return "99 %";
  if (share > 0 && rounded <= 0) return "< 1 %";
  return fmt::format("{:.0f} %", rounded);
}

std::string tier_words(const Rating& rating) {
  return rating.tier.empty() ? "Not enough seen for a tier" : rating.tier;
}

std::string allowed_words(const Rating& rating) {
  if (rating.tier_low == rating.tier_high) return {};
  return fmt::format("; what is known allows {} to {}", rating.tier_low, rating.tier_high);
}

std::vector<std::string> failed_gates(const Rating& rating) {
  std::vector<std::string> words;
  for (const Gate& gate : rating.gates)
    if (gate.status == Status::fail) words.push_back("A gate failed: " + gate.why);
  return words;
}

std::string open_gates(const Rating& rating) {
  const auto open = static_cast<std::size_t>(std::count_if(
      rating.gates.begin(), rating.gates.end(), [](const Gate& gate) { return gate.status == Status::unknown; }));
  if (open == 0) return {};
  return counted(open, "gate is open", "gates are open") + ": nobody knows yet whether what disqualifies is there";
}

}  // namespace assay::report
