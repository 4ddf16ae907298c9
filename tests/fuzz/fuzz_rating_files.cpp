// The files that people write for a rating: a rubric ("r…") and a provider's answers ("p…", under a small rubric).
// Refused with words, or read and rated; never a crash, and never a score outside its bounds.
#include <cstdlib>
#include <string>

#include "rating/rating.hpp"

namespace {

namespace catalog = assay::catalog;

constexpr auto kRubric = R"(
id: small
version: 1
date: 2026-12-01
title: Small
scope: For fuzzing.
values: {pass: 1, warn: 0.5, fail: 0}
claim: 0.25
evidence: {minimum: 0.6, why: to have one}
tiers: [{name: Gold, at_least: 0.8, why: good}, {name: Lead, at_least: 0, why: bad}]
unavailable: {name: None, why: not there}
gates: [{id: g, any_of: [security.a], why: bad}]
criteria:
  - id: security
    title: Security
    weight: 10
    why: to have one
    items:
      - {id: a, title: A, how: asked, question: "A?"}
      - {id: b, title: B, how: [bench, asked], question: "B?", value: {unit: min, at_most: 15}}
)";

void rate(const catalog::Rubric& rubric, const catalog::Answers& answers) {
  const auto rating = assay::rating::rate(rubric, {}, {}, answers);
  if (!(0 <= rating.score.low && rating.score.low <= rating.score.high && rating.score.high <= 1)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static const catalog::Rubric small = catalog::parse_rubric(kRubric, "small").value();
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] == 'r') {
    if (const auto rubric = catalog::parse_rubric(text, "fuzz")) rate(*rubric, {});
  } else if (const auto answers = catalog::parse_answers(text, "fuzz", "/nonexistent", small)) {
    rate(small, *answers);
  }
  return 0;
}
