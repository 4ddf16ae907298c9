#include "app/describe.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "judge/check.hpp"

namespace assay::app {

namespace {

using catalog::Check;
using catalog::Condition;
using catalog::Rule;

std::string condition_words(const Condition& condition) {
  if (!condition.one_of.empty()) return fmt::format("{}", fmt::join(condition.one_of, " or "));
  if (!condition.none_of.empty()) return fmt::format("none of {}", fmt::join(condition.none_of, ", "));
  if (condition.no_bits) return fmt::format("without the bits 0{:o}", *condition.no_bits);
  if (condition.at_least && condition.at_most)
    return fmt::format("from {} to {}", *condition.at_least, *condition.at_most);
  return condition.at_least ? fmt::format("at least {}", *condition.at_least)
                            : fmt::format("at most {}", condition.at_most.value_or(0));
}

std::string rule_words(const Rule& rule) {
  std::string words =
      fmt::format("for each {}, {} must be {}", rule.for_each, rule.observation, condition_words(rule.pass));
  if (rule.warn) words += fmt::format("; {} is a warning", condition_words(*rule.warn));
  if (rule.otherwise == Status::warn) words += "; anything else is a warning";
  if (rule.missing) words += fmt::format("; not there: {}", name_of(*rule.missing));
  if (rule.applies)
    words += fmt::format("; only where {} is {}", rule.applies->observation, condition_words(*rule.applies));
  return words;
}

std::string_view file_of(const std::string& check) {
  const auto& families = judge::families();
  for (std::size_t i = 0; i < families.size(); ++i)
    if (std::any_of(families[i]->begin(), families[i]->end(),
                    [&](const judge::Entry& entry) { return entry.check == check; }))
      return judge::families_files()[i];
  return "";
}

std::string joined_ways(const std::vector<catalog::Way>& ways) {
  std::string words;
  for (const catalog::Way way : ways) words.append(words.empty() ? "" : ", ").append(name_of(way));
  return words;
}

}  // namespace

std::string logic_words(const Check& check) {
  if (check.rule) return "a rule in data: " + rule_words(*check.rule);
  std::string words = fmt::format("code: src/judge/checks/{}.cpp", file_of(check.id));
  for (const std::string& table : check.needs) words += fmt::format(", by data/tables/{}.yaml", table);
  return words;
}

std::string ways_words(const catalog::Item& item) { return joined_ways(item.how); }

std::string served_words(const catalog::Served& served) {
  std::vector<std::string> parts;
  for (const Check* check : served.checks) parts.push_back("check " + check->id);
  if (served.item->answerable()) parts.emplace_back("asked in the provider file");
  if (!served.later.empty()) parts.push_back("measured by a later phase: " + joined_ways(served.later));
  if (!served.item->not_yet.empty()) parts.push_back("not looked at yet: " + served.item->not_yet);
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace assay::app
