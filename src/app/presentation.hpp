// The last arrows of the way: recorded → judged → rated → shown. Shared by the commands that look and by those that
// only show.
#pragma once

#include <string>
#include <vector>

#include "app/catalogue.hpp"
#include "evidence/snapshot.hpp"
#include "evidence/store.hpp"
#include "report/model.hpp"

namespace assay::app {

// What a run's evidence comes to by what is known now.
struct Judged {
  Snapshot snapshot;
  std::vector<Verdict> verdicts;
  rating::Rating rating;
};
Result<Judged> judge_run(const Store& store, const Catalogue& catalogue);

// The same, gathered into a report.
Result<report::Report> report_on(const Store& store, const Catalogue& catalogue);

// Writes report.json and report.html into the run's folder, and prints to stdout: the report for people, or
// report.json.
Result<void> show(const report::Report& report, const std::string& folder, bool json);

// What `--fail-on` asks for, of the verdicts; a tier is another question, and `assay rate` exits by that. Nothing is
// called sound on the strength of what wasn't seen: with a host that never answered, or more verdicts unknown than
// known, there isn't enough to say.
int exit_code(const report::Report& report, const std::string& fail_on);

}  // namespace assay::app
