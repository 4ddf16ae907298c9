#include "reading.hpp"

#include <stdexcept>

namespace assay::testing {

namespace {

const node::Reader& reader_named(const std::string& id) {
  for (const node::Reader* reader : node::readers())
    if (reader->id == id) return *reader;
  throw std::invalid_argument("no reader " + id);
}

}  // namespace

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
  const node::Reader& reader = reader_named(id);
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
