#include "node/reader.hpp"

#include "base/text.hpp"
#include "node/redact.hpp"

namespace assay::node {

namespace {

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

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

const Emits* declared(std::span<const Emits> vocabulary, std::string_view name) {
  for (const Emits& each : vocabulary) {
    const bool open_ended = each.name.ends_with(".*");
    if (open_ended ? name.starts_with(each.name.substr(0, each.name.size() - 1)) : name == each.name) return &each;
  }
  return nullptr;
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
