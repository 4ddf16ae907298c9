// Gates and tiers: what no score can make up for, and what a score is called.
#pragma once

#include <vector>

#include "rating/rating.hpp"

namespace assay::rating {

std::vector<Gate> gates_of(const catalog::Rubric& rubric, const std::vector<CriterionScore>& criteria);

// Fills tier, tier_low, tier_high and summary from score, seen and gates.
void name_tier(Rating& rating, const catalog::Rubric& rubric, bool unavailable);

}  // namespace assay::rating
