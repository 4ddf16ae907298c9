#include "report/json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "evidence/codec.hpp"
#include "rating/json.hpp"
#include "report/findings.hpp"
#include "report/fold.hpp"

namespace assay::report {

namespace {

using Json = nlohmann::ordered_json;

Json verdict_to_json(const Verdict& verdict) {
  return {{"check", verdict.check},       {"subject", verdict.subject.path()}, {"status", name_of(verdict.status)},
          {"measured", verdict.measured}, {"expected", verdict.expected},      {"why", verdict.why},
          {"fix", verdict.fix},           {"evidence", verdict.evidence}};
}

Json counts_to_json(const Counts& counts) {
  Json json = Json::object();
  for (const Status status : {Status::pass, Status::warn, Status::fail, Status::unknown, Status::not_applicable})
    json[std::string(name_of(status))] = of(counts, status);
  return json;
}

// A JSON array or object written with one entry a line.
class Lines {
 public:
  Lines(std::string& out, char open, char close) : out_(out), close_(close) { out_ += open; }
  void add(const std::string& entry) { out_.append(first_ ? "\n" : ",\n").append(entry), first_ = false; }
  ~Lines() { out_.append(first_ ? "" : "\n") += close_; }

 private:
  std::string& out_;
  char close_;
  bool first_ = true;
};

void begin_field(std::string& out, const char* name) { out.append(",\n\"").append(name).append("\":"); }

template <class Items, class ToJson>
void add_array(std::string& out, const char* name, const Items& items, ToJson to_json) {
  begin_field(out, name);
  Lines lines(out, '[', ']');
  for (const auto& item : items) lines.add(dump(to_json(item)));
}

template <class Items, class ToJson>
void add_object(std::string& out, const char* name, const Items& items, ToJson to_json) {
  begin_field(out, name);
  Lines lines(out, '{', '}');
  for (const auto& [key, item] : items) lines.add(dump(Json(fmt::format("{}", key))) + ":" + dump(to_json(item)));
}

}  // namespace

std::string dump(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

Json run_to_json(const Report& report) {
  const Run& run = report.run;
  Json more = Json::object();
  for (const auto& [key, value] : run.more) more[key] = value;
  return {{"id", run.id},
          {"cluster", run.cluster},
          {"target", run.target},
          {"version", run.version},
          {"started", run.started},
          {"ended", run.ended},
          {"complete", run.complete},
          {"hosts", {{"planned", run.hosts.size()}, {"answered", run.answered.size()}}},
          {"counts", counts_to_json(count(report))},
          {"facts", more}};
}

Json gap_to_json(const Gap& gap) {
  return {{"subject", gap.subject.path()},
          {"name", gap.name},
          {"reason", gap.reason},
          {"detail", gap.detail},
          {"of", gap.of == Gap::Of::host       ? "host"
                 : gap.of == Gap::Of::step     ? "step"
                 : gap.of == Gap::Of::artifact ? "artifact"
                                               : "observation"},
          {"where", fold_subjects(gap.subjects)},
          {"count", gap.subjects.size()}};
}

Json check_to_json(const catalog::Check& check) {
  return {{"id", check.id},
          {"title", check.title},
          {"criterion", check.criterion},
          {"item", check.item},
          {"phase", check.phase},
          {"severity", check.severity},
          {"privilege", check.privilege},
          {"expected", check.expected},
          {"why", check.why},
          {"fix", check.fix},
          {"references", check.references}};
}

Json observation_to_json(const Observation& o) {
  Json json{{"subject", o.subject.path()}, {"name", o.name}};
  if (const Absent* absent = o.absent()) {
    json["absent"] = name_of(absent->reason);
    json["detail"] = absent->detail;
  } else {
    json["value"] = codec::to_json(*o.value());
  }
  if (!o.unit.empty()) json["unit"] = o.unit;
  json["time"] = o.time;
  json["source"] = o.source;
  if (!o.artifact.empty()) json["artifact"] = o.artifact;
  return json;
}

Json transcript_to_json(const Transcript& transcript) {
  Json json{{"size", transcript.size}, {"cut", transcript.cut}, {"excerpt", transcript.excerpt}};
  if (!transcript.lost.empty()) json["lost"] = transcript.lost;
  return json;
}

Json rating_to_json(const Report& report) { return report.rating ? rating::to_json(*report.rating) : Json(); }

std::string to_json_text(const Report& report) {
  std::string out = "{\"schema\":\"assay.report/1\"";
  begin_field(out, "run");
  out += dump(run_to_json(report));
  begin_field(out, "rating");
  out += dump(rating_to_json(report));
  add_array(out, "verdicts", report.verdicts, verdict_to_json);
  add_array(out, "absent", report.gaps, gap_to_json);
  add_array(out, "checks", report.checks, check_to_json);
  add_object(out, "observations", report.observations, observation_to_json);
  add_object(out, "artifacts", report.transcripts, transcript_to_json);
  out += "\n}\n";
  return out;
}

}  // namespace assay::report
