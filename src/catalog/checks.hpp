// The checks as data: what each looks at, why it matters, how to mend it, which rubric item it serves. One file a
// check: data/checks/CRITERION/NAME.yaml is the check CRITERION.NAME. A setting that must have a value is a rule here
// and needs no code; a check without a rule has its logic in src/judge/checks.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "catalog/table.hpp"
#include "evidence/verdict.hpp"

namespace assay::catalog {

// One condition on one value. Exactly one of the operators is set.
struct Condition {
  std::string observation;          // empty: the rule's own
  std::vector<std::string> one_of;  // equals: one entry. Compared as text, whole, letter case ignored
  std::vector<std::string> none_of;
  std::optional<double> at_least;
  std::optional<double> at_most;
  std::optional<std::int64_t> no_bits;  // none of these bits: file modes
};

struct Rule {
  std::string for_each;  // cluster, host (nodes and login), node, or a part of a host: gpu, port
  std::string observation;
  std::optional<Condition> applies;  // on the same host; not met: not_applicable. Unseen: unknown
  Condition pass;
  std::optional<Condition> warn;  // met though `pass` isn't: warn
  Status otherwise = Status::fail;
  std::optional<Status> missing;  // what it means when the thing isn't there; unset: unknown
};

struct Check {
  std::string id;         // security.ipmi-closed
  std::string title;      // what is so when it passes: "The BMC's host interface is closed to users"
  std::string criterion;  // security
  std::string item;       // rubric item: security.bmc-unreachable
  std::string phase;      // audit, performance, reliability, drill
  std::string severity;   // critical, high, medium, low
  std::string privilege;  // what it needs to see: none, root, …
  std::string scope;      // host, node or cluster: which subjects must have a verdict, at least unknown
  std::string expected;   // for people, with the words of who says so
  std::string why;        // why it matters
  std::string fix;        // how to mend it
  std::vector<std::string> references;
  std::optional<Rule> rule;
  std::vector<std::string> needs;  // names of the tables that its logic looks things up in
  std::map<std::string, std::shared_ptr<const Table>, std::less<>> tables;  // they, once loaded
};

// All checks under `folder`, sorted by id, with their tables from the folder "tables" beside it. A file with an unknown
// key, a missing text, or an id whose criterion isn't its item's is refused: the error names the file and line.
Result<std::vector<Check>> load_checks(const std::filesystem::path& folder);
Result<Check> parse_check(const std::string& id, const std::string& yaml, const std::string& where);

}  // namespace assay::catalog
