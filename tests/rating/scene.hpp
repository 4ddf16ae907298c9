// A small rubric with checks of its own, and verdicts and answers written in a line each.
#pragma once

#include <string>
#include <vector>

#include "rating/rating.hpp"

namespace assay::testing {

// Two criteria of weights 3 and 1.
//   security:   gate.a (audit; gate), plain.b (audit, weight 2), both.c (audit and bench)
//   lifecycle:  words.d (asked), bar.e (asked; at most 15 min), either.f (audit or asked),
//               kube.g (audit, kubernetes), slurm.h (audit, slurm), kubeask.i (asked, kubernetes)
// Each item has one check per machine way, named like it: security.a, security.c-bench; security.b has a second,
// security.b2, that needs root.
const catalog::Rubric& small_rubric();
const std::vector<catalog::Check>& small_checks();

// verdict("security.a", "node/n1/gpu/0", "fail"); "" is the cluster.
Verdict verdict(const std::string& check, const std::string& subject, const std::string& status);
catalog::Answer answer(catalog::Answer::Word word, bool documented, double value = 0);

rating::Rating rated(const std::vector<Verdict>& verdicts, const catalog::Answers& answers = {});
const rating::ItemScore& item_of(const rating::Rating& rating, const std::string& id);
const rating::Gate& gate_of(const rating::Rating& rating, const std::string& id);

}  // namespace assay::testing
