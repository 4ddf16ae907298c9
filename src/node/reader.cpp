#include "node/reader.hpp"

#include "base/now.hpp"
#include "base/text.hpp"
#include "node/redact.hpp"

namespace assay::node {

namespace {

// Texts are what nodes hold, so they may be anything: without secrets, valid UTF-8, of bounded size from here on.
Value clean(Value value) {
  constexpr std::size_t kLongest = 60u << 10;
  if (auto* held = std::get_if<std::string>(&value)) *held = text::to_utf8(redact(*held), kLongest);
  if (auto* items = std::get_if<TextList>(&value)) {
    if (items->size() > 8000) items->resize(8000);
    for (std::string& item : *items) item = text::to_utf8(redact(item), kLongest);
  }
  if (auto* fields = std::get_if<Record>(&value))
    for (auto& [key, field] : *fields) field = text::to_utf8(redact_field(key, field), kLongest);
  return value;
}

}  // namespace

Vocabulary vocabulary() {
  Vocabulary all;
  for (const Reader* reader : readers()) all.emplace(reader->id, reader->emits);
  return all;
}

const Reader* find_reader(std::string_view id) {
  for (const Reader* reader : readers())
    if (reader->id == id) return reader;
  return nullptr;
}

void Findings::send(const Subject& subject, std::string_view name, std::variant<Value, Absent> seen,
                    std::string_view from) {
  const Emits* entry = declared(vocabulary_, name);
  Observation observation;
  observation.subject = subject;
  observation.name = name;
  observation.seen = std::move(seen);
  if (entry != nullptr) observation.unit = entry->unit;
  observation.time = now_ns();
  observation.source = text::to_utf8(from, 1000);
  sink_(std::move(observation));
}

void Findings::see(const Subject& subject, std::string_view name, Value value, std::string_view from) {
  send(subject, name, clean(std::move(value)), from);
}

void Findings::absent(const Subject& subject, std::string_view name, const Absent& why, std::string_view from) {
  send(subject, name, Absent{why.reason, text::to_utf8(redact(why.detail), 1000)}, from);
}

}  // namespace assay::node
