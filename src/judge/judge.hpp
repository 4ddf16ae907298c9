// Evidence in, verdicts out. Pure: no machine, clock or file is touched, so a run can be judged again under newer
// texts. Every check speaks of every subject in its scope: where its logic was silent the engine says unknown.
#pragma once

#include <map>

#include "judge/check.hpp"

namespace assay::judge {

// In the order of check ids, then of subjects. An error: a text without logic or rule, or logic without a text.
Result<std::vector<Verdict>> judge(const std::vector<catalog::Check>& checks, const Snapshot& snapshot);

// Logic by check id. An error: one id twice.
using Registry = std::map<std::string_view, Logic>;
Result<Registry> registry_of(const std::vector<const Family*>& families);

// One check by itself; `logic` is nullptr for one that has a rule. Logic that throws keeps the warnings and failures
// that it said before, and the cluster gets an unknown.
std::vector<Verdict> judge_one(const catalog::Check& check, Logic logic, const Snapshot& snapshot);

// Sets Verdict::hidden, where the snapshot tells why something wasn't seen and as whom it was looked.
void mark_hidden(const Snapshot& snapshot, std::vector<Verdict>& verdicts);

}  // namespace assay::judge
