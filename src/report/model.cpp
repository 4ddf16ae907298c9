#include "report/model.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

#include "base/text.hpp"
#include "evidence/facts.hpp"

namespace assay::report {

namespace {

std::string taken(RunFacts& facts, const std::string& key) {
  const auto found = facts.find(key);
  if (found == facts.end()) return {};
  std::string value = std::move(found->second);
  facts.erase(found);
  return value;
}

// The plan names every host the run set out to see, also those of which nothing was ever heard.
void add_planned(const std::string& plan, std::vector<Subject>& hosts) {
  const auto parsed = nlohmann::json::parse(plan, nullptr, false);
  if (!parsed.is_array()) return;
  for (const auto& host : parsed) {
    if (!host.is_object() || !host.contains("path") || !host["path"].is_string()) continue;
    const auto subject = Subject::parse(host["path"].get<std::string>());
    if (subject && !subject->empty()) hosts.push_back(*subject);
  }
}

Run run_of(const Store& store, RunFacts facts, std::span<const Observation> observations) {
  Run run;
  run.id = store.folder().filename().empty() ? store.folder().parent_path().filename().string()
                                             : store.folder().filename().string();
  const auto cluster = Subject::parse(taken(facts, fact::kCluster));
  if (cluster && !cluster->empty()) run.cluster = cluster->id();
  run.target = taken(facts, fact::kTarget);
  run.version = taken(facts, fact::kVersion);
  run.started = taken(facts, fact::kStarted);
  run.ended = taken(facts, fact::kEnded);
  run.complete = !run.ended.empty();
  add_planned(taken(facts, fact::kPlanFile), run.hosts);
  for (const Observation& o : observations) {
    Subject host = o.subject.enclosing("node");
    if (host.empty()) host = o.subject.enclosing("login");
    if (host.empty()) continue;
    if (run.hosts.empty() || run.hosts.back() != host) run.hosts.push_back(host);
    if (o.name == "agent.answered" && o.value() != nullptr) run.answered.insert(host);
  }
  std::sort(run.hosts.begin(), run.hosts.end(),
            [](const Subject& a, const Subject& b) { return text::natural_less(a.path(), b.path()); });
  run.hosts.erase(std::unique(run.hosts.begin(), run.hosts.end()), run.hosts.end());
  std::erase_if(facts, [](const auto& fact) { return fact.first.ends_with(".json"); });
  run.more = std::move(facts);
  return run;
}

std::vector<catalog::Check> checks_used(const std::vector<Verdict>& verdicts,
                                        const std::vector<catalog::Check>& known) {
  std::map<std::string, catalog::Check> used;
  for (const Verdict& verdict : verdicts) {
    if (used.contains(verdict.check)) continue;
    catalog::Check check;
    check.id = check.title = verdict.check;
    check.criterion = verdict.check.substr(0, verdict.check.find('.'));
    used.emplace(verdict.check, std::move(check));
  }
  for (const catalog::Check& check : known)
    if (const auto found = used.find(check.id); found != used.end()) found->second = check;
  std::vector<catalog::Check> checks;
  for (auto& [id, check] : used) checks.push_back(std::move(check));
  return checks;
}

struct Rests {
  std::unordered_set<std::int64_t> all;
  std::set<std::int64_t> of_unknown;
};

Rests what_verdicts_rest_on(const std::vector<Verdict>& verdicts) {
  Rests rests;
  for (const Verdict& verdict : verdicts) {
    rests.all.insert(verdict.evidence.begin(), verdict.evidence.end());
    if (verdict.status == Status::unknown) rests.of_unknown.insert(verdict.evidence.begin(), verdict.evidence.end());
  }
  return rests;
}

// Those that aren't there at all, and those of the ones read for this report that can't be read.
std::set<std::string> lost_artifacts(const Store& store, const Snapshot& snapshot, const Report& report) {
  std::set<std::string> lost, known;
  for (const Observation& o : snapshot.all())
    if (!o.artifact.empty() && known.insert(o.artifact).second && !store.holds_artifact(o.artifact))
      lost.insert(o.artifact);
  for (const auto& [sha, transcript] : report.transcripts)
    if (!transcript.lost.empty()) lost.insert(sha);
  return lost;
}

}  // namespace

const catalog::Check& Report::check(const std::string& id) const {
  static const catalog::Check kNone;
  const auto found =
      std::lower_bound(checks.begin(), checks.end(), id,
                       [](const catalog::Check& check, const std::string& key) { return check.id < key; });
  return found != checks.end() && found->id == id ? *found : kNone;
}

Result<Report> gather(const Store& store, const Snapshot& snapshot, const std::vector<catalog::Check>& checks,
                      std::vector<Verdict> verdicts, std::optional<rating::Rating> rating) {
  auto facts = store.facts();
  if (!facts) return failure(facts.error());
  const auto steps = store.steps();
  if (!steps) return failure(steps.error());

  Report report;
  report.rating = std::move(rating);
  report.run = run_of(store, std::move(*facts), snapshot.all());
  report.verdicts = std::move(verdicts);
  std::stable_sort(report.verdicts.begin(), report.verdicts.end(), [](const Verdict& a, const Verdict& b) {
    return a.check != b.check ? a.check < b.check : text::natural_less(a.subject.path(), b.subject.path());
  });
  report.checks = checks_used(report.verdicts, checks);
  const Rests rests = what_verdicts_rest_on(report.verdicts);
  for (const Observation& o : snapshot.all())
    if (rests.all.contains(o.id)) report.observations.emplace(o.id, o);
  report.transcripts = choose_transcripts(store, report.verdicts, report.observations);
  report.gaps =
      find_gaps({report.run.hosts, *steps, snapshot.all(), rests.of_unknown, lost_artifacts(store, snapshot, report)});
  return report;
}

}  // namespace assay::report
