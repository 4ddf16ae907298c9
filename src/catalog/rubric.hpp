// What a rating weighs: criteria, their items, gates and tiers, as data/rubrics/NAME.yaml says them. That file explains
// its own keys; docs/designs/0003-rating.md explains the formula.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "catalog/checks.hpp"

namespace assay::catalog {

// How an item is known. Each of the first four is the phase of the checks that see it.
enum class Way {
  audit,  // seen, read-only
  bench,  // measured under load
  burn,   // seen over hours
  drill,  // shown by a failure on purpose
  asked,  // the provider answers, with a document
  felt,   // the evaluator notes it during the trial
};

std::string_view name_of(Way way);
inline bool in_words(Way way) { return way == Way::asked || way == Way::felt; }
// A check's phase as a way: audit, performance, reliability, drill.
std::optional<Way> way_of_phase(std::string_view phase);

// A numeric answer, and the bar it must clear. Without a bar it is enough that it is told.
struct AnswerValue {
  std::string unit;
  std::optional<double> at_least;
  std::optional<double> at_most;
};

struct Item {
  std::string id;  // with its criterion: security.bmc-unreachable
  std::string title;
  std::vector<Way> how;
  double weight = 1;
  bool critical = false;  // part of a gate
  bool always = false;    // of a gate that every cluster must pass: never left out
  std::string scheduler;  // slurm, kubernetes, or empty: both
  std::string question;   // for asked and felt
  std::optional<AnswerValue> value;
  std::string not_yet;  // what no check looks at so far; empty: nothing

  bool answerable() const { return !question.empty(); }
};

struct Criterion {
  std::string id;
  std::string title;
  double weight = 0;
  std::string why;
  std::vector<Item> items;
};

struct GateRule {
  std::string id;
  std::vector<std::string> any_of;  // items: one that holds is enough
  bool always = false;              // there is no cluster that it doesn't apply to
  std::string why;                  // what its failure means
};

struct Tier {
  std::string name;
  double at_least = 0;
  std::string why;
};

struct Rubric {
  std::string id;
  std::int64_t version = 0;
  std::string date;
  std::string title;
  std::string scope;
  double pass = 1;  // what a verdict is worth
  double warn = 0.5;
  double fail = 0;
  double claim = 0;             // the least worth of a "yes" without a document
  double minimum_evidence = 1;  // share of the weight below which no tier is named
  std::string minimum_why;
  std::vector<Tier> tiers;  // best first; the last one begins at 0
  Tier unavailable;
  std::vector<GateRule> gates;
  std::vector<Criterion> criteria;

  std::string name() const { return id + "/" + std::to_string(version); }
  const Item* find(std::string_view item) const;  // nullptr: no such item
};

// Strict: unknown keys, ids twice, gates without their items, tiers out of order and numbers out of range are refused
// with file and line.
Result<Rubric> load_rubric(const std::filesystem::path& file);
Result<Rubric> parse_rubric(const std::string& yaml, const std::string& where);

}  // namespace assay::catalog
