#include "rating/interval.hpp"

#include <algorithm>

namespace assay::rating {

Interval worse_of(Interval a, Interval b) { return {std::min(a.low, b.low), std::min(a.high, b.high)}; }

void Mean::add(Interval value, double weight) {
  low_ += weight * value.low;
  high_ += weight * value.high;
  weight_ += weight;
}

std::optional<Interval> Mean::value() const {
  if (weight_ <= 0) return std::nullopt;
  // Sums of rounded terms may leave [0, 1] by a hair.
  return Interval{std::clamp(low_ / weight_, 0.0, 1.0), std::clamp(high_ / weight_, 0.0, 1.0)};
}

}  // namespace assay::rating
