#include "reading.hpp"

#include <stdexcept>

namespace assay::testing {

const Observation* Reading::find(const std::string& subject, std::string_view name) const {
  for (const Observation& observation : observations)
    if (observation.subject.path() == subject && observation.name == name) return &observation;
  return nullptr;
}

std::string Reading::text(const std::string& subject, std::string_view name) const {
  const Observation* found = find(subject, name);
  if (found == nullptr) return "<nothing>";
  if (const Absent* absent = found->absent()) return "<absent " + std::string(name_of(absent->reason)) + ">";
  return to_text(*found->value());
}

Reading read_tree(const std::string& id, const std::string& root) {
  Reading reading;
  const node::Reader* found = node::find_reader(id);
  if (found == nullptr) throw std::invalid_argument("no reader " + id);
  const node::Reader& reader = *found;
  node::Host host(root, [&](std::string_view heading, std::string_view bytes) {
    reading.transcript.append("== ").append(heading).append("\n").append(bytes);
  });
  node::Findings findings(reader.emits,
                          [&](Observation observation) { reading.observations.push_back(std::move(observation)); });
  reader.read(host, findings);
  return reading;
}

Reading read_live(const std::string& id) { return read_tree(id, "/"); }

}  // namespace assay::testing
