// One item scored: each way that it is known is a part, and the item is the mean of its parts.
//
// A part seen by checks is the mean over the units that were looked at (nodes, links, …), and a unit is as good as the
// worst verdict within it; what is said of the cluster as a whole bounds them all. An answer is a part where one was
// given, and then stands in for machine parts of which nothing was seen.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rating/rating.hpp"

namespace assay::rating {

using VerdictsByCheck = std::map<std::string, std::vector<const Verdict*>>;

// What is still open about an item. `width` is a share of the item.
struct Opening {
  std::string how;
  std::string words;
  double width = 0;
};

struct Scored {
  ItemScore item;
  std::vector<Opening> openings;
};

// `answer` may be nullptr. `scheduler_gone`: why the item's scheduler isn't there; empty: no such reason.
Scored score_item(const catalog::Rubric& rubric, const catalog::Item& item,
                  const std::vector<const catalog::Check*>& checks, const VerdictsByCheck& verdicts,
                  const catalog::Answer* answer, const std::string& scheduler_gone);

}  // namespace assay::rating
