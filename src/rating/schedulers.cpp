#include "rating/schedulers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace assay::rating {

namespace {

struct Trace {
  bool decided = false;
  bool unknown = false;
  const Verdict* absent = nullptr;
};

Trace trace_of(const std::string& scheduler, const catalog::Rubric& rubric, const std::vector<catalog::Check>& checks,
               const VerdictsByCheck& verdicts) {
  Trace trace;
  for (const catalog::Check& check : checks) {
    const catalog::Item* item = rubric.find(check.item);
    const auto said = verdicts.find(check.id);
    if (item == nullptr || item->scheduler != scheduler || said == verdicts.end()) continue;
    for (const Verdict* verdict : said->second) {
      if (verdict->status == Status::unknown)
        trace.unknown = true;
      else if (verdict->status != Status::not_applicable)
        trace.decided = true;
      else if (trace.absent == nullptr)
        trace.absent = verdict;
    }
  }
  return trace;
}

}  // namespace

std::map<std::string, std::string> schedulers_gone(const catalog::Rubric& rubric,
                                                   const std::vector<catalog::Check>& checks,
                                                   const VerdictsByCheck& verdicts, const catalog::Answers& answers) {
  const auto& covered = answers.schedulers;
  std::map<std::string, std::string> gone;
  for (const auto& [scheduler, other] : {std::pair("slurm", "kubernetes"), std::pair("kubernetes", "slurm")}) {
    if (!covered.empty() && std::find(covered.begin(), covered.end(), scheduler) == covered.end()) {
      gone[scheduler] = fmt::format("the provider file says that the trial covers {} only", other);
      continue;
    }
    const Trace trace = trace_of(scheduler, rubric, checks, verdicts);
    if (trace.absent != nullptr && !trace.unknown && !trace.decided &&
        trace_of(other, rubric, checks, verdicts).decided)
      gone[scheduler] = fmt::format("{} runs here, and {}: {}", other, trace.absent->subject.path(), trace.absent->why);
  }
  return gone;
}

}  // namespace assay::rating
