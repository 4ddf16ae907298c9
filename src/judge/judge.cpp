#include "judge/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>

#include "base/text.hpp"
#include "judge/rule.hpp"

namespace assay::judge {

namespace {

using catalog::Check;
using Registry = std::map<std::string_view, Logic>;

Registry all_logic() {
  Registry registry;
  for (const Family* family : families())
    for (const Entry& entry : *family) registry.emplace(entry.check, entry.logic);
  return registry;
}

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

void fill_silence(const Check& check, const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& subject : scope_of(check, snapshot)) {
    const auto& said = judgement.verdicts();
    if (std::any_of(said.begin(), said.end(), [&](const Verdict& v) { return v.subject.within(subject); })) continue;
    const auto answered = snapshot.boolean(subject, "agent.answered");
    judgement.unknown(subject, answered ? "nothing that this check needs was seen here" : answered.gap);
  }
}

std::vector<Verdict> judge_check(const Check& check, const Registry& registry, const Snapshot& snapshot) {
  Judgement judgement(check);
  try {
    if (check.rule) {
      apply_rule(check, snapshot, judgement);
    } else {
      registry.at(check.id)(snapshot, judgement);
    }
  } catch (const std::exception& error) {
    // A check's own mistake must not cost the others their verdicts, nor look like a pass.
    judgement = Judgement(check);
    judgement.unknown(snapshot.cluster(), fmt::format("the check failed on this evidence: {}", error.what()));
  }
  fill_silence(check, snapshot, judgement);
  std::vector<Verdict> verdicts = judgement.verdicts();
  std::stable_sort(verdicts.begin(), verdicts.end(), [](const Verdict& a, const Verdict& b) {
    return text::natural_less(a.subject.path(), b.subject.path());
  });
  return verdicts;
}

}  // namespace

std::vector<Verdict> judge_one(const Check& check, const Snapshot& snapshot) {
  return judge_check(check, all_logic(), snapshot);
}

Result<std::vector<Verdict>> judge(const std::vector<Check>& checks, const Snapshot& snapshot) {
  const Registry registry = all_logic();
  if (auto matched = match(checks, registry); !matched) return failure(matched.error());
  std::vector<Verdict> verdicts;
  for (const Check& check : checks) {
    auto said = judge_check(check, registry, snapshot);
    std::move(said.begin(), said.end(), std::back_inserter(verdicts));
  }
  return verdicts;
}

}  // namespace assay::judge
