#include "rating/gates.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace assay::rating {

namespace {

const ItemScore* find_item(const std::vector<CriterionScore>& criteria, const std::string& id) {
  for (const CriterionScore& criterion : criteria)
    for (const ItemScore& item : criterion.items)
      if (item.id == id) return &item;
  return nullptr;
}

// An item as a gate sees it: a gap never hides a failure, and nothing passes while a part of it is open.
Status gate_view(const ItemScore& item) {
  const bool decided = item.status == Status::fail || item.status == Status::not_applicable;
  return decided || item.seen >= 1 ? item.status : Status::unknown;
}

Status gate_status(const std::vector<Status>& items) {
  const auto has = [&](Status status) { return std::find(items.begin(), items.end(), status) != items.end(); };
  for (const Status status : {Status::pass, Status::warn, Status::unknown, Status::fail})
    if (has(status)) return status;  // one that holds is enough; all must fail
  return Status::not_applicable;
}

const std::string& tier_of(const catalog::Rubric& rubric, double score) {
  constexpr double kRounding = 1e-9;  // sums of weights are not exact
  for (const catalog::Tier& tier : rubric.tiers)
    if (score >= tier.at_least - kRounding) return tier.name;
  return rubric.tiers.back().name;
}

std::string gates_with(const Rating& rating, Status status) {
  std::string ids;
  for (const Gate& gate : rating.gates)
    if (gate.status == status) ids.append(ids.empty() ? "" : ", ").append(gate.id);
  return ids;
}

std::string range(const Rating& rating) {
  return rating.tier_low == rating.tier_high ? rating.tier_low : rating.tier_low + " to " + rating.tier_high;
}

std::string shortfall(const Rating& rating, const std::string& open) {
  std::string words = fmt::format("not enough seen for a tier: {:.0f} % of the evidence", 100 * rating.seen);
  if (rating.seen < rating.minimum) words += fmt::format(" where {:.0f} % is needed", 100 * rating.minimum);
  if (!open.empty()) words += "; open gates: " + open;
  return words + "; what is known allows " + range(rating);
}

}  // namespace

std::vector<Gate> gates_of(const catalog::Rubric& rubric, const std::vector<CriterionScore>& criteria) {
  std::vector<Gate> gates;
  for (const catalog::GateRule& rule : rubric.gates) {
    std::vector<Status> statuses;
    for (const std::string& id : rule.any_of)
      if (const ItemScore* item = find_item(criteria, id)) statuses.push_back(gate_view(*item));
    gates.push_back({rule.id, rule.any_of, gate_status(statuses), rule.why});
  }
  return gates;
}

void name_tier(Rating& rating, const catalog::Rubric& rubric, bool unavailable) {
  const std::string failed = gates_with(rating, Status::fail);
  const std::string open = gates_with(rating, Status::unknown);
  const std::string& worst = rubric.tiers.back().name;
  rating.tier_low = open.empty() && failed.empty() ? tier_of(rubric, rating.score.low) : worst;
  rating.tier_high = failed.empty() ? tier_of(rubric, rating.score.high) : worst;
  if (unavailable) {
    rating.tier = rating.tier_low = rating.tier_high = rubric.unavailable.name;
    rating.summary = rubric.unavailable.name + ": " + rubric.unavailable.why;
  } else if (!failed.empty()) {
    rating.tier = worst;
    rating.summary = fmt::format("{}: a gate failed ({})", worst, failed);
  } else if (rating.seen < rating.minimum || !open.empty()) {
    rating.summary = shortfall(rating, open);
  } else {
    rating.tier = rating.tier_low;
    rating.summary =
        fmt::format("{}, for the low end of the score; what wasn't seen allows {}", rating.tier, range(rating));
  }
}

}  // namespace assay::rating
