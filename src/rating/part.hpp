// One way that an item is known: what its checks or its answer say.
#pragma once

#include <string>
#include <vector>

#include "rating/item.hpp"

namespace assay::rating {

struct Part {
  Interval score = kUnknown;
  bool applies = true;
  double seen = 0;       // share of it that is proven
  bool spoken = false;   // something was said of it, if only that it couldn't be seen
  bool decided = false;  // something passed, warned or failed
  bool failed = false;
  bool warned = false;
  std::string note;
  std::string close_how;
  std::string close_words;
};

// `checks` are the item's checks of this way; without any the part waits for a later phase.
Part seen_part(const catalog::Rubric& rubric, catalog::Way way, const std::vector<const catalog::Check*>& checks,
               const VerdictsByCheck& verdicts);
Part answer_part(const catalog::Rubric& rubric, const catalog::Item& item, const catalog::Answer* answer);

}  // namespace assay::rating
