#include "scene.hpp"

#include <stdexcept>

namespace assay::testing {

namespace {

constexpr auto kYaml = R"(
id: small
version: 1
date: 2026-12-01
title: Small
scope: For tests.
values: {pass: 1, warn: 0.5, fail: 0}
claim: 0.25
evidence: {minimum: 0.6, why: for tests}
tiers:
  - {name: Gold, at_least: 0.8, why: good}
  - {name: Silver, at_least: 0.6, why: fair}
  - {name: Lead, at_least: 0, why: bad}
unavailable: {name: None, why: no cluster could be had}
gates:
  - {id: gate-a, any_of: [security.a], why: a is broken}
criteria:
  - id: security
    title: Security
    weight: 3
    why: for tests
    items:
      - {id: a, title: A, how: audit}
      - {id: b, title: B, how: audit, weight: 2}
      - {id: c, title: C, how: [audit, bench]}
  - id: lifecycle
    title: Lifecycle
    weight: 1
    why: for tests
    items:
      - {id: d, title: D, how: asked, question: "D?"}
      - {id: e, title: E, how: asked, question: "E?", value: {unit: min, at_most: 15}}
      - {id: f, title: F, how: [audit, asked], question: "F?"}
      - {id: g, title: G, how: audit, scheduler: kubernetes}
      - {id: h, title: H, how: audit, scheduler: slurm}
      - {id: i, title: I, how: asked, scheduler: kubernetes, question: "I?"}
)";

catalog::Check check(const std::string& id, const std::string& item, const std::string& phase,
                     const std::string& privilege) {
  catalog::Check made;
  made.id = id;
  made.title = "title of " + id;
  made.criterion = item.substr(0, item.find('.'));
  made.item = item;
  made.phase = phase;
  made.privilege = privilege;
  return made;
}

}  // namespace

const catalog::Rubric& small_rubric() {
  static const auto rubric = catalog::parse_rubric(kYaml, "small.yaml");
  if (!rubric) throw std::runtime_error(rubric.error().message());
  return *rubric;
}

const std::vector<catalog::Check>& small_checks() {
  static const std::vector<catalog::Check> checks = {
      check("security.a", "security.a", "audit", "none"),
      check("security.b", "security.b", "audit", "none"),
      check("security.b2", "security.b", "audit", "root"),
      check("security.c", "security.c", "audit", "none"),
      check("security.c-bench", "security.c", "performance", "none"),
      check("lifecycle.f", "lifecycle.f", "audit", "none"),
      check("lifecycle.g", "lifecycle.g", "audit", "none"),
      check("lifecycle.h", "lifecycle.h", "audit", "none"),
  };
  return checks;
}

Verdict verdict(const std::string& check, const std::string& subject, const std::string& status) {
  Verdict made;
  made.check = check;
  made.subject = Subject::parse(subject.empty() ? "cluster/c" : "cluster/c/" + subject).value();
  made.status = status_from(status).value();
  made.why = "because " + status;
  return made;
}

catalog::Answer answer(catalog::Answer::Word word, bool documented, double value) {
  catalog::Answer made;
  made.word = word;
  made.value = value;
  made.by = "Jo";
  made.date = "2026-11-30";
  if (documented) made.document = catalog::Document{"contract", "2026-01-01", "contract.pdf", "00"};
  return made;
}

rating::Rating rated(const std::vector<Verdict>& verdicts, const catalog::Answers& answers) {
  return rating::rate(small_rubric(), small_checks(), verdicts, answers);
}

const rating::ItemScore& item_of(const rating::Rating& rating, const std::string& id) {
  for (const rating::CriterionScore& criterion : rating.criteria)
    for (const rating::ItemScore& item : criterion.items)
      if (item.id == id) return item;
  throw std::invalid_argument("no item " + id);
}

const rating::Gate& gate_of(const rating::Rating& rating, const std::string& id) {
  for (const rating::Gate& gate : rating.gates)
    if (gate.id == id) return gate;
  throw std::invalid_argument("no gate " + id);
}

}  // namespace assay::testing
