// One check judged on a snapshot written by hand.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "evidence/snapshot.hpp"
#include "judge/judge.hpp"
#include "testing.hpp"

namespace assay::testing {

// The check's text as data/checks has it.
const catalog::Check& check_named(const std::string& id);

// Its verdicts by subject, cluster prefix left out ("node/n1/gpu/0"; "" is the cluster). Observations use subjects
// beginning with cluster/c.
std::map<std::string, Verdict> judged(const std::string& check, std::vector<Observation> observations);
// The status of one subject as text: "pass", …, "<none>".
std::string status_of(const std::string& check, const std::vector<Observation>& observations,
                      const std::string& subject);

}  // namespace assay::testing
