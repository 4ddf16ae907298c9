// Whatever a host sends, in whatever pieces: no crash, no subject but its own, nothing that a reader hasn't declared,
// and every observation that got in can be written and read back.
#include <cstdlib>

#include "cluster/intake.hpp"
#include "evidence/codec.hpp"
#include "node/reader.hpp"

#include <nlohmann/json.hpp>

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const assay::StepResult& step, const assay::Subject& host) {
  require(step.key.host == host.path());
  for (const assay::Observation& observation : step.observations) {
    require(observation.subject.within(host));
    require(assay::Subject::parse(observation.subject.path()).has_value());
    const auto line = assay::codec::to_json(observation);
    const auto again = assay::codec::observation_from_json(nlohmann::json::parse(assay::codec::dump(line)));
    require(again.has_value() && again->seen == observation.seen);
    const assay::node::Reader* reader = assay::node::find_reader(step.key.name);
    require(reader == nullptr || assay::node::declared(reader->emits, observation.name) != nullptr);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  static const auto vocabulary = assay::node::vocabulary();
  const assay::Subject host = assay::Subject::parse("cluster/c/node/n1").value();
  assay::cluster::Intake intake(host, {"os", "gpu", "memory"}, vocabulary);
  intake.requested(1);
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t piece = data[0] + 1u;
  for (std::size_t at = 0; at < bytes.size(); at += piece) intake.feed(bytes.substr(at, piece));
  intake.end({assay::Absence::missing, "gone"});
  for (const assay::StepResult& step : intake.take()) check(step, host);
  return 0;
}
