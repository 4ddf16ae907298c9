// Verdicts and answers in, a rating out. Pure: the same evidence under the same rubric gives the same rating.
//
// The score is an interval, as wide as what wasn't seen. Gates stand beside it and are never averaged: one proven
// failure disqualifies. A tier is named for the low end of the score, and only when enough was seen and no gate is
// open; otherwise `tier` is empty and `closes` says what would change that. docs/designs/0003-rating.md gives the
// formula and its reasons.
//
//   Rating rating = rate(rubric, checks, verdicts, answers);
//   if (rating.tier.empty()) tell(rating.summary, rating.closes);
#pragma once

#include <string>
#include <vector>

#include "catalog/provider.hpp"
#include "catalog/rubric.hpp"
#include "evidence/verdict.hpp"
#include "rating/interval.hpp"

namespace assay::rating {

struct ItemScore {
  std::string id;
  std::string title;
  std::vector<std::string> how;
  bool critical = false;
  double weight = 1;
  Interval score;
  Status status = Status::unknown;  // not_applicable: left out
  double seen = 0;                  // share of it that is proven
  std::vector<std::string> checks;
  std::string note;  // one sentence: what decided it, or what stood in the way
};

struct CriterionScore {
  std::string id;
  std::string title;
  double weight = 0;
  bool applies = true;  // false: every item was left out
  Interval score;
  double seen = 0;
  std::vector<ItemScore> items;
};

struct Gate {
  std::string id;
  std::vector<std::string> items;
  Status status = Status::unknown;
  std::string why;  // what its failure means
};

// One thing to do that would narrow the score.
struct Closing {
  std::string item;
  std::string title;
  std::string how;    // root, look, run, later, ask, document, note
  std::string words;  // the same for people
  double width = 0;   // of the score, that it takes away
  bool gate = false;  // it also decides a gate
};

struct Rating {
  std::string rubric;    // managed-cluster/1
  std::string provider;  // empty: not told
  Interval score;
  double seen = 0;
  double minimum = 0;    // of `seen`, for a tier
  std::string tier;      // empty: not enough seen
  std::string tier_low;  // the worst and the best that the unseen leaves possible
  std::string tier_high;
  std::string summary;  // one sentence
  std::vector<Gate> gates;
  std::vector<Closing> closes;  // what decides gates first, then by width
  std::vector<CriterionScore> criteria;
};

Rating rate(const catalog::Rubric& rubric, const std::vector<catalog::Check>& checks,
            const std::vector<Verdict>& verdicts, const catalog::Answers& answers);

}  // namespace assay::rating
