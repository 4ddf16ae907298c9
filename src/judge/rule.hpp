// Checks that are rules in data: one value per subject, compared with what it must be.
#pragma once

#include "judge/check.hpp"

namespace assay::judge {

void apply_rule(const catalog::Check& check, const Snapshot& snapshot, Judgement& judgement);

// Does a value meet a condition? Nothing if the two can't be compared (a text where a number is needed).
std::optional<bool> meets(const Value& value, const catalog::Condition& condition);

}  // namespace assay::judge
