// Which hosts a run set out to see, and what they are called in its evidence. Made once, before anything is looked at,
// and kept with the run: what never answered is known by it, and resuming goes by it.
#pragma once

#include <string>
#include <vector>

#include "cluster/launcher.hpp"
#include "evidence/subject.hpp"

namespace assay::cluster {

struct PlannedHost {
  std::string node;         // as the launcher names it
  Subject subject;          // as evidence names it
  std::string unreachable;  // why it can't be asked, in the launcher's words; empty: it can
  bool login = false;       // the host where assay runs, beside the cluster's nodes
};

using Plan = std::vector<PlannedHost>;

// The launcher's nodes and, where asked and not among them, this host as the cluster's login host.
Result<Plan> make_plan(Launcher& launcher, const Subject& cluster, bool with_login);

// As JSON, for the run's facts.
std::string plan_to_text(const Plan& plan);
Result<Plan> plan_from_text(const std::string& text);

}  // namespace assay::cluster
