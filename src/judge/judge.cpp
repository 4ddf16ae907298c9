#include "judge/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <unordered_set>

#include "base/text.hpp"
#include "judge/rule.hpp"

namespace assay::judge {

namespace {

using catalog::Check;

Result<void> match(const std::vector<Check>& checks, const Registry& registry) {
  const auto refuse = [](std::string expected, std::string_view id) {
    return failure({Error::Kind::usage, std::move(expected), "none", std::string(id),
                    "data/ and this assay are of different versions"});
  };
  for (const Check& check : checks)
    if (check.rule.has_value() == registry.contains(check.id))
      return refuse("either a rule or logic for the check", check.id);
  for (const auto& [id, logic] : registry)
    if (std::none_of(checks.begin(), checks.end(), [&, wanted = id](const Check& check) { return check.id == wanted; }))
      return refuse("a text in data/checks for the check", id);
  return {};
}

std::vector<Subject> scope_of(const Check& check, const Snapshot& snapshot) {
  if (check.scope == "cluster") return {snapshot.cluster()};
  return check.scope == "node" ? snapshot.nodes() : snapshot.hosts();
}

// `why` is said of those of whom the logic said nothing.
void fill_silence(const Check& check, const Snapshot& snapshot, const std::string& why, Judgement& judgement) {
  std::unordered_set<std::string> spoken_of;  // by a verdict of it or of a part of it
  for (const Verdict& verdict : judgement.verdicts())
    for (Subject at = verdict.subject; !at.empty() && spoken_of.insert(at.path()).second;) at = at.parent();
  for (const Subject& subject : scope_of(check, snapshot)) {
    if (spoken_of.contains(subject.path())) continue;
    const auto answered = snapshot.boolean(subject, "agent.answered");
    judgement.unknown(subject, answered ? why : answered.gap);
  }
}

}  // namespace

Result<Registry> registry_of(const std::vector<const Family*>& families) {
  Registry registry;
  for (const Family* family : families)
    for (const Entry& entry : *family)
      if (!registry.emplace(entry.check, entry.logic).second)
        return failure({Error::Kind::usage, "one logic for the check", "a second one", std::string(entry.check),
                        "take one of them out of judge/checks"});
  return registry;
}

std::vector<Verdict> judge_one(const Check& check, Logic logic, const Snapshot& snapshot) {
  Judgement judgement(check);
  std::string silence = "nothing that this check needs was seen here";
  try {
    if (check.rule) {
      apply_rule(check, snapshot, judgement);
    } else {
      logic(snapshot, judgement);
    }
  } catch (const std::exception& error) {
    // A check's own mistake must not cost the others their verdicts, nor look like a pass, nor hide what it found.
    silence = fmt::format("the check failed on this evidence: {}", error.what());
    judgement.keep_findings();
    judgement.unknown(snapshot.cluster(), silence);
  }
  fill_silence(check, snapshot, silence, judgement);
  std::vector<Verdict> verdicts = judgement.verdicts();
  std::stable_sort(verdicts.begin(), verdicts.end(), [](const Verdict& a, const Verdict& b) {
    return text::natural_less(a.subject.path(), b.subject.path());
  });
  return verdicts;
}

void mark_hidden(const Snapshot& snapshot, std::vector<Verdict>& verdicts) {
  std::unordered_set<std::int64_t> hidden;
  for (const Observation& o : snapshot.all()) {
    if (o.absent() == nullptr || o.absent()->reason != Absence::permission) continue;
    Subject host = o.subject.enclosing("node");
    if (host.empty()) host = o.subject.enclosing("login");
    const auto uid = snapshot.integer(host, "agent.uid");
    if (!uid || *uid != 0) hidden.insert(o.id);
  }
  for (Verdict& verdict : verdicts)
    verdict.hidden =
        verdict.status == Status::unknown && std::any_of(verdict.evidence.begin(), verdict.evidence.end(),
                                                         [&](std::int64_t id) { return hidden.contains(id); });
}

Result<std::vector<Verdict>> judge(const std::vector<Check>& checks, const Snapshot& snapshot) {
  const auto registry = registry_of(families());
  if (!registry) return failure(registry.error());
  if (auto matched = match(checks, *registry); !matched) return failure(matched.error());
  std::vector<Verdict> verdicts;
  for (const Check& check : checks) {
    const auto logic = registry->find(check.id);
    auto said = judge_one(check, logic == registry->end() ? nullptr : logic->second, snapshot);
    std::move(said.begin(), said.end(), std::back_inserter(verdicts));
  }
  mark_hidden(snapshot, verdicts);
  return verdicts;
}

}  // namespace assay::judge
