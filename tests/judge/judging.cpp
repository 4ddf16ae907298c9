#include "judging.hpp"

#include <stdexcept>

namespace assay::testing {

const catalog::Check& check_named(const std::string& id) {
  static const auto checks = catalog::load_checks(std::string(ASSAY_SOURCE_DIR) + "/data/checks");
  if (!checks) throw std::runtime_error(checks.error().message());
  for (const catalog::Check& check : *checks)
    if (check.id == id) return check;
  throw std::invalid_argument("no check " + id);
}

judge::Logic logic_of(const std::string& check) {
  static const auto registry = judge::registry_of(judge::families()).value();
  const auto found = registry.find(check);
  return found == registry.end() ? nullptr : found->second;
}

std::map<std::string, Verdict> judged(const std::string& check, std::vector<Observation> observations) {
  const Snapshot snapshot(std::move(observations));
  std::map<std::string, Verdict> verdicts;
  for (Verdict& verdict : judge::judge_one(check_named(check), logic_of(check), snapshot)) {
    const std::string& path = verdict.subject.path();
    const std::string prefix = "cluster/c";
    verdicts.emplace(path == prefix ? "" : path.substr(prefix.size() + 1), std::move(verdict));
  }
  return verdicts;
}

std::string status_of(const std::string& check, const std::vector<Observation>& observations,
                      const std::string& subject) {
  const auto verdicts = judged(check, observations);
  const auto found = verdicts.find(subject);
  return found == verdicts.end() ? "<none>" : std::string(name_of(found->second.status));
}

}  // namespace assay::testing
