#include "rating/rating.hpp"

#include <algorithm>
#include <set>

#include "rating/gates.hpp"
#include "rating/item.hpp"
#include "rating/schedulers.hpp"

namespace assay::rating {

namespace {

using catalog::Check;

using ChecksByItem = std::map<std::string, std::vector<const Check*>>;

struct Evidence {
  VerdictsByCheck verdicts;
  ChecksByItem checks;
  const catalog::Answers* answers;
  std::map<std::string, std::string> schedulers_gone;
};

Evidence gather(const catalog::Rubric& rubric, const std::vector<Check>& checks, const std::vector<Verdict>& verdicts,
                const catalog::Answers& answers) {
  Evidence evidence;
  for (const Verdict& verdict : verdicts) evidence.verdicts[verdict.check].push_back(&verdict);
  for (const Check& check : checks) evidence.checks[check.item].push_back(&check);
  evidence.answers = &answers;
  evidence.schedulers_gone = schedulers_gone(rubric, checks, evidence.verdicts, answers);
  return evidence;
}

Scored score_one(const catalog::Rubric& rubric, const catalog::Item& item, const Evidence& evidence) {
  const auto checks = evidence.checks.find(item.id);
  const auto answer = evidence.answers->by_item.find(item.id);
  const auto gone = evidence.schedulers_gone.find(item.scheduler);
  return score_item(rubric, item, checks == evidence.checks.end() ? std::vector<const Check*>{} : checks->second,
                    evidence.verdicts, answer == evidence.answers->by_item.end() ? nullptr : &answer->second,
                    gone == evidence.schedulers_gone.end() ? std::string() : gone->second);
}

struct ScoredCriterion {
  CriterionScore criterion;
  std::vector<Closing> closes;  // width: a share of the criterion
};

ScoredCriterion score_criterion(const catalog::Rubric& rubric, const catalog::Criterion& from,
                                const Evidence& evidence) {
  ScoredCriterion result;
  CriterionScore& criterion = result.criterion;
  criterion.id = from.id;
  criterion.title = from.title;
  criterion.weight = from.weight;
  Mean mean;
  double seen = 0;
  for (const catalog::Item& item : from.items) {
    Scored scored = score_one(rubric, item, evidence);
    if (scored.item.status != Status::not_applicable) {
      mean.add(scored.item.score, item.weight);
      seen += item.weight * scored.item.seen;
    }
    for (const Opening& opening : scored.openings)
      result.closes.push_back({item.id, item.title, opening.how, opening.words, opening.width * item.weight, false});
    criterion.items.push_back(std::move(scored.item));
  }
  criterion.applies = mean.weight() > 0;
  criterion.score = mean.value().value_or(kUnknown);
  if (!criterion.applies) return result;
  criterion.seen = seen / mean.weight();
  for (Closing& closing : result.closes) closing.width /= mean.weight();
  return result;
}

void order(std::vector<Closing>& closes, const std::vector<Gate>& gates) {
  std::set<std::string_view> open;
  for (const Gate& gate : gates)
    if (gate.status == Status::unknown) open.insert(gate.items.begin(), gate.items.end());
  for (Closing& closing : closes) closing.gate = open.contains(closing.item);
  std::stable_sort(closes.begin(), closes.end(),
                   [](const Closing& a, const Closing& b) { return a.gate != b.gate ? a.gate : a.width > b.width; });
}

}  // namespace

Rating rate(const catalog::Rubric& rubric, const std::vector<Check>& checks, const std::vector<Verdict>& verdicts,
            const catalog::Answers& answers) {
  const Evidence evidence = gather(rubric, checks, verdicts, answers);
  Rating rating;
  rating.rubric = rubric.name();
  rating.provider = answers.provider;
  rating.minimum = rubric.minimum_evidence;
  Mean mean;
  double seen = 0;
  for (const catalog::Criterion& from : rubric.criteria) {
    ScoredCriterion scored = score_criterion(rubric, from, evidence);
    if (scored.criterion.applies) {
      mean.add(scored.criterion.score, from.weight);
      seen += from.weight * scored.criterion.seen;
    }
    for (Closing& closing : scored.closes) {
      closing.width *= from.weight;
      rating.closes.push_back(std::move(closing));
    }
    rating.criteria.push_back(std::move(scored.criterion));
  }
  rating.score = mean.value().value_or(kUnknown);
  if (mean.weight() > 0) {
    rating.seen = seen / mean.weight();
    for (Closing& closing : rating.closes) closing.width /= mean.weight();
  }
  rating.gates = gates_of(rubric, rating.criteria);
  order(rating.closes, rating.gates);
  name_tier(rating, rubric, answers.unavailable);
  return rating;
}

}  // namespace assay::rating
