#include "report/findings.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "report/fold.hpp"

namespace assay::report {

namespace {

using Range = std::pair<std::vector<Verdict>::const_iterator, std::vector<Verdict>::const_iterator>;

// `verdicts` are all of one check; only those of `status` count.
Finding finding_of(const catalog::Check& check, Range verdicts, Status status) {
  Finding finding{&check, status, {}, 0, {}, {}};
  std::map<std::string, std::vector<Subject>> by_why;
  std::vector<Subject> all;
  for (auto at = verdicts.first; at != verdicts.second; ++at) {
    if (at->status != status) continue;
    by_why[at->why].push_back(at->subject);
    all.push_back(at->subject);
    if (finding.fix.empty()) finding.fix = at->fix;
  }
  if (finding.fix.empty()) finding.fix = check.fix;
  finding.subjects = all.size();
  finding.where = fold_subjects(all);
  for (const auto& [why, subjects] : by_why) finding.lines.push_back({fold_subjects(subjects), why, subjects.size()});
  std::stable_sort(finding.lines.begin(), finding.lines.end(), [](const Finding::Line& a, const Finding::Line& b) {
    return a.subjects != b.subjects ? a.subjects > b.subjects : text::natural_less(a.where, b.where);
  });
  return finding;
}

}  // namespace

int rank_of_severity(const std::string& severity) {
  constexpr std::array<std::string_view, 4> kRanks{"critical", "high", "medium", "low"};
  return static_cast<int>(std::find(kRanks.begin(), kRanks.end(), severity) - kRanks.begin());
}

std::vector<Finding> findings(const Report& report, Status status) {
  std::vector<Finding> found;
  for (auto first = report.verdicts.begin(); first != report.verdicts.end();) {
    const auto last = std::find_if(first, report.verdicts.end(),
                                   [&](const Verdict& verdict) { return verdict.check != first->check; });
    Finding finding = finding_of(report.check(first->check), {first, last}, status);
    if (finding.subjects > 0) found.push_back(std::move(finding));
    first = last;
  }
  std::stable_sort(found.begin(), found.end(), [](const Finding& a, const Finding& b) {
    const int rank_a = rank_of_severity(a.check->severity);
    const int rank_b = rank_of_severity(b.check->severity);
    return rank_a != rank_b ? rank_a < rank_b : a.subjects > b.subjects;
  });
  return found;
}

Counts count(const Report& report) {
  Counts counts{};
  for (const Verdict& verdict : report.verdicts) ++counts[static_cast<std::size_t>(verdict.status)];
  return counts;
}

}  // namespace assay::report
