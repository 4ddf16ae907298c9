// Which schedulers a rating leaves out, and by what positive reason. Silence is none: a cluster of which nobody looked
// at Kubernetes isn't one without it.
#pragma once

#include <map>
#include <string>

#include "rating/item.hpp"

namespace assay::rating {

// Scheduler → why its items are left out, those alone of which nothing was said. Either every verdict about it says
// that it isn't there and the other one's checks decided something, or the provider file says that the trial doesn't
// cover it.
std::map<std::string, std::string> schedulers_gone(const catalog::Rubric& rubric,
                                                   const std::vector<catalog::Check>& checks,
                                                   const VerdictsByCheck& verdicts, const catalog::Answers& answers);

}  // namespace assay::rating
