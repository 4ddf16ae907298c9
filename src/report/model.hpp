// What a report says, gathered once from a run's store and put in order: every face (report.json, report.html, the
// terminal) is a pure function of this. Nothing here depends on the time or place of writing, so two reports of the
// same evidence are equal to the byte.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "catalog/checks.hpp"
#include "evidence/snapshot.hpp"
#include "evidence/store.hpp"
#include "rating/rating.hpp"
#include "report/gaps.hpp"
#include "report/transcript.hpp"

namespace assay::report {

struct Run {
  std::string id;       // the run folder's name
  std::string cluster;  // its name, not its path
  std::string target, version, started, ended;
  std::vector<Subject> hosts;  // that the run set out to see, in natural order
  std::set<Subject> answered;  // of these, the ones that served the request
  bool complete = false;       // it came to its end; else it was stopped, and can go on with --resume
  RunFacts more;               // all other facts whose key isn't a file of its own (*.json)
};

struct Report {
  Run run;
  std::optional<rating::Rating> rating;
  std::vector<catalog::Check> checks;  // those that verdicts name, by id
  std::vector<Verdict> verdicts;       // by check, then subject in natural order
  std::vector<Gap> gaps;
  std::map<std::int64_t, Observation> observations;  // those that verdicts rest on
  std::map<std::string, Transcript> transcripts;     // of these, by SHA-256

  const catalog::Check& check(const std::string& id) const;
};

// `snapshot` is what the store holds; the rest is read from the store. A verdict whose check has no text any more gets
// one that says only its id.
Result<Report> gather(const Store& store, const Snapshot& snapshot, const std::vector<catalog::Check>& checks,
                      std::vector<Verdict> verdicts, std::optional<rating::Rating> rating);

}  // namespace assay::report
