#include "judge/rule.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace assay::judge {

namespace {

using catalog::Check;
using catalog::Condition;
using catalog::Rule;

bool among(const std::string& value, const std::vector<std::string>& allowed) {
  return std::any_of(allowed.begin(), allowed.end(),
                     [&](const std::string& each) { return text::lower(each) == text::lower(value); });
}

std::optional<double> as_number(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return std::nullopt;
}

// Which subjects, and the host that each belongs to.
std::vector<std::pair<Subject, Subject>> subjects_of(const Rule& rule, const Snapshot& snapshot) {
  std::vector<std::pair<Subject, Subject>> found;
  if (rule.for_each == "cluster") return {{snapshot.cluster(), snapshot.cluster()}};
  for (const Subject& host : rule.for_each == "node" ? snapshot.nodes() : snapshot.hosts()) {
    if (rule.for_each == "host" || rule.for_each == "node") {
      found.emplace_back(host, host);
    } else {
      for (const Subject& part : snapshot.parts(host, rule.for_each)) found.emplace_back(part, host);
    }
  }
  return found;
}

// Whether the rule is for this host at all; says so itself when it isn't, or when that can't be seen.
bool applies(const Rule& rule, const Subject& subject, const Subject& host, const Snapshot& snapshot,
             Judgement& judgement) {
  if (!rule.applies) return true;
  const Observation* seen = snapshot.find(host, rule.applies->observation);
  const Value* value = seen == nullptr ? nullptr : seen->value();
  const auto met = value == nullptr ? std::nullopt : meets(*value, *rule.applies);
  if (!met) {
    judgement.unknown(subject,
                      fmt::format("whether this applies hangs on {}, which was not seen", rule.applies->observation),
                      {seen});
  } else if (!*met) {
    judgement.not_applicable(subject, fmt::format("{} is {}", rule.applies->observation, to_text(*seen)), {seen});
  }
  return met.value_or(false);
}

void judge_one(const Check& check, const Subject& subject, const Snapshot& snapshot, Judgement& judgement) {
  const Rule& rule = *check.rule;
  const Observation* seen = snapshot.find(subject, rule.observation);
  if (seen == nullptr) return judgement.unknown(subject, snapshot.text(subject, rule.observation).gap);
  if (const Absent* absent = seen->absent()) {
    if (absent->reason == Absence::missing && rule.missing)
      return judgement.say(*rule.missing, subject, "not there", fmt::format("{}: {}", rule.observation, to_text(*seen)),
                           {seen});
    return judgement.unknown(subject, fmt::format("{}: {}", rule.observation, to_text(*seen)), {seen});
  }
  const auto good = meets(*seen->value(), rule.pass);
  if (!good)
    return judgement.unknown(
        subject, fmt::format("{} is {}, which can't be compared", rule.observation, to_text(*seen)), {seen});
  const auto why = fmt::format("{} is {}", rule.observation, to_text(*seen));
  if (*good) return judgement.pass(subject, to_text(*seen), why, {seen});
  const bool mild = rule.warn && meets(*seen->value(), *rule.warn).value_or(false);
  judgement.say(mild ? Status::warn : rule.otherwise, subject, to_text(*seen), why, {seen});
}

}  // namespace

std::optional<bool> meets(const Value& value, const Condition& condition) {
  // Joined, a list could read like a value that it isn't; a rule asks for one value.
  if (std::holds_alternative<TextList>(value) || std::holds_alternative<Record>(value)) return std::nullopt;
  if (!condition.one_of.empty()) return among(to_text(value), condition.one_of);
  if (!condition.none_of.empty()) return !among(to_text(value), condition.none_of);
  if (condition.no_bits) {
    const auto* bits = std::get_if<std::int64_t>(&value);
    return bits == nullptr ? std::nullopt : std::optional((*bits & *condition.no_bits) == 0);
  }
  const auto number = as_number(value);
  if (!number) return std::nullopt;
  return (!condition.at_least || *number >= *condition.at_least) &&
         (!condition.at_most || *number <= *condition.at_most);
}

void apply_rule(const Check& check, const Snapshot& snapshot, Judgement& judgement) {
  for (const auto& [subject, host] : subjects_of(*check.rule, snapshot))
    if (applies(*check.rule, subject, host, snapshot, judgement)) judge_one(check, subject, snapshot, judgement);
}

}  // namespace assay::judge
