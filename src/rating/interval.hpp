// A score between 0 and 1 of which only the bounds are known. Everything here keeps one promise: whatever the unseen
// turns out to be, the true value lies inside.
#pragma once

#include <optional>

namespace assay::rating {

struct Interval {
  double low = 0;
  double high = 1;

  double width() const { return high - low; }
  bool operator==(const Interval&) const = default;
};

inline constexpr Interval kUnknown{0, 1};
inline constexpr Interval exactly(double value) { return {value, value}; }

// Both must hold: as good as the worse of the two.
Interval worse_of(Interval a, Interval b);

class Mean {
 public:
  void add(Interval value, double weight = 1);
  // Nothing if nothing was added.
  std::optional<Interval> value() const;
  double weight() const { return weight_; }

 private:
  double low_ = 0;
  double high_ = 0;
  double weight_ = 0;
};

}  // namespace assay::rating
