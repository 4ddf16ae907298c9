#include "judge/siblings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "judge/majority.hpp"

namespace assay::judge {

void Siblings::add(const Subject& subject, std::string value, const Observation* observation) {
  ++counts_[value];
  members_.push_back({subject, std::move(value), observation});
}

std::string Siblings::majority() const {
  std::vector<std::string> told;
  for (const Member& member : members_) told.push_back(member.value);
  return judge::majority(told, all()).value_or("");
}

std::string Siblings::tally() const {
  std::vector<std::pair<std::size_t, std::string>> sorted;
  for (const auto& [value, count] : counts_) sorted.emplace_back(count, value);
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string words;
  for (const auto& [count, value] : sorted) words += fmt::format("{}{} on {}", words.empty() ? "" : ", ", value, count);
  return words;
}

void Models::add_silent(const std::optional<std::string>& model) {
  if (model) {
    by_model_[*model].add_silent(1);
  } else {
    ++of_any_model_;
  }
}

std::size_t Models::most_of_a_node() const {
  std::map<Subject, std::size_t> counts;
  std::size_t most = 1;
  for (const auto& [model, siblings] : by_model_)
    for (const auto& member : siblings.members()) most = std::max(most, ++counts[member.subject.parent()]);
  return most;
}

const std::map<std::string, Siblings>& Models::all() {
  const std::size_t silent = of_any_model_ + silent_nodes_ * most_of_a_node();
  for (auto& [model, siblings] : by_model_) siblings.add_silent(silent);
  of_any_model_ = silent_nodes_ = 0;
  return by_model_;
}

void Models::judge(Judgement& judgement, std::string_view what, const Shown& shown) {
  for (const auto& [model, siblings] : all()) {
    const std::string majority = siblings.majority();
    for (const auto& [part, value, observation] : siblings.members()) {
      if (siblings.all() == 1) {
        judgement.not_applicable(part, "the only " + model + " in the cluster", {observation});
      } else if (majority.empty() && siblings.uniform()) {
        judgement.unknown(part,
                          fmt::format("only {} of {} that may be {} told their {}", siblings.members().size(),
                                      siblings.all(), model, what),
                          {observation});
      } else if (majority.empty()) {
        judgement.warn(part, shown(value), fmt::format("{} differ in their {}, and none is that of most", model, what),
                       {observation});
      } else if (value != majority) {
        judgement.fail(part, shown(value), fmt::format("the {} of most {} is {}", what, model, shown(majority)),
                       {observation});
      } else {
        judgement.pass(part, shown(value), fmt::format("the same {} as most {}", what, model), {observation});
      }
    }
  }
}

}  // namespace assay::judge
