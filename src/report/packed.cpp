#include "report/packed.hpp"

#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

#include "evidence/codec.hpp"
#include "report/json.hpp"

namespace assay::report {

namespace {

using Json = nlohmann::ordered_json;

int code_of(Status status) {
  switch (status) {
    case Status::fail: return 0;
    case Status::warn: return 1;
    case Status::unknown: return 2;
    case Status::pass: return 3;
    case Status::not_applicable: return 4;
  }
  return 2;
}

class Strings {
 public:
  std::size_t operator()(const std::string& text) {
    const auto [found, is_new] = known_.try_emplace(text, list_.size());
    if (is_new) list_.push_back(text);
    return found->second;
  }
  Json take() { return std::move(list_); }

 private:
  std::unordered_map<std::string, std::size_t> known_;
  Json list_ = Json::array();
};

Json pack_verdicts(const Report& report, Strings& strings) {
  std::unordered_map<std::string, std::size_t> checks;
  for (const catalog::Check& check : report.checks) checks.emplace(check.id, checks.size());
  Json rows = Json::array();
  for (const Verdict& v : report.verdicts)
    rows.push_back(Json::array({checks.at(v.check), strings(v.subject.path()), code_of(v.status), strings(v.measured),
                                strings(v.expected), strings(v.why), strings(v.fix), v.evidence}));
  return rows;
}

Json pack_seen(const Observation& o) {
  if (const Absent* absent = o.absent()) return {{"absent", name_of(absent->reason)}, {"detail", absent->detail}};
  return {{"value", codec::to_json(*o.value())}};
}

Json pack_observations(const Report& report, Strings& strings) {
  std::unordered_set<std::int64_t> needed;
  for (const Verdict& v : report.verdicts)
    if (v.status != Status::pass && v.status != Status::not_applicable)
      needed.insert(v.evidence.begin(), v.evidence.end());
  Json rows = Json::array();
  std::size_t others = 0;
  for (const auto& [id, o] : report.observations) {
    if (!needed.contains(id) && ++others > kMostPackedObservations) continue;
    rows.push_back(Json::array({id, strings(o.subject.path()), strings(o.name), pack_seen(o), strings(o.unit), o.time,
                                strings(o.source), strings(o.artifact)}));
  }
  return rows;
}

}  // namespace

std::string to_packed_json(const Report& report) {
  Strings strings;
  Json packed{{"run", run_to_json(report)}, {"rating", rating_to_json(report)}};
  packed["checks"] = packed["absent"] = packed["hosts"] = Json::array();
  packed["artifacts"] = Json::object();
  for (const catalog::Check& check : report.checks) packed["checks"].push_back(check_to_json(check));
  for (const Gap& gap : report.gaps) packed["absent"].push_back(gap_to_json(gap));
  for (const Subject& host : report.run.hosts) packed["hosts"].push_back(host.path());
  for (const auto& [sha, transcript] : report.transcripts) packed["artifacts"][sha] = transcript_to_json(transcript);
  packed["verdicts"] = pack_verdicts(report, strings);
  packed["observations"] = pack_observations(report, strings);
  packed["strings"] = strings.take();
  return packed.dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace assay::report
