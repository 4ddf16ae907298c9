// Evidence in, verdicts out. Pure: no machine, clock or file is touched, so a run can be judged again under newer
// texts. Every check speaks of every subject in its scope: where its logic was silent the engine says unknown.
#pragma once

#include "judge/check.hpp"

namespace assay::judge {

// In the order of check ids, then of subjects. An error: a text without logic or rule, or logic without a text.
Result<std::vector<Verdict>> judge(const std::vector<catalog::Check>& checks, const Snapshot& snapshot);

// One check by itself.
std::vector<Verdict> judge_one(const catalog::Check& check, const Snapshot& snapshot);

}  // namespace assay::judge
