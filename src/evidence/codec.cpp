#include "evidence/codec.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace assay::codec {

namespace {

using nlohmann::json;

tl::unexpected<Error> refuse(std::string expected, std::string came) {
  return failure({Error::Kind::usage, std::move(expected), text::printable(came.substr(0, 80)), "observation", ""});
}

bool fits(const json& item) { return item.is_string() && item.get_ref<const std::string&>().size() <= kLongestText; }

Result<Value> list_from_json(const json& items) {
  if (items.size() > kMostItems || !std::all_of(items.begin(), items.end(), fits))
    return refuse("a list of at most 8192 texts", items.type_name());
  return items.get<TextList>();
}

Result<Value> record_from_json(const json& fields) {
  if (fields.size() > kMostItems || !std::all_of(fields.begin(), fields.end(), fits))
    return refuse("a record of at most 8192 text fields", fields.type_name());
  return fields.get<Record>();
}

bool valid_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
           c == '_';
  });
}

Result<std::string> text_field(const json& line, const char* key, std::size_t limit) {
  const auto found = line.find(key);
  if (found == line.end()) return std::string();
  if (!found->is_string() || found->get_ref<const std::string&>().size() > limit)
    return refuse(std::string("a text of at most ") + std::to_string(limit) + " bytes as \"" + key + "\"",
                  found->type_name());
  return found->get<std::string>();
}

Result<std::variant<Value, Absent>> seen_from_json(const json& line) {
  const auto value = line.find("value");
  const auto absent = line.find("absent");
  if ((value == line.end()) == (absent == line.end())) return refuse("either \"value\" or \"absent\"", "both or none");
  if (value != line.end()) return value_from_json(*value).map([](Value v) { return std::variant<Value, Absent>(v); });
  if (!absent->is_string()) return refuse("a reason as \"absent\"", absent->type_name());
  const auto reason = absence_from(absent->get_ref<const std::string&>());
  if (!reason) return failure(reason.error());
  auto detail = text_field(line, "detail", kLongestText);
  if (!detail) return failure(detail.error());
  return std::variant<Value, Absent>(Absent{*reason, *detail});
}

}  // namespace

json to_json(const Value& value) {
  return std::visit([](const auto& held) { return json(held); }, value);
}

Result<Value> value_from_json(const json& value) {
  switch (value.type()) {
    case json::value_t::boolean: return Value(value.get<bool>());
    case json::value_t::number_integer: return Value(value.get<std::int64_t>());
    case json::value_t::number_unsigned:
      if (value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
        return refuse("a 63-bit integer", value.dump());
      return Value(value.get<std::int64_t>());
    case json::value_t::number_float: return Value(value.get<double>());
    case json::value_t::string:
      if (!fits(value)) return refuse("a text of at most 64 KiB", "a longer one");
      return Value(value.get<std::string>());
    case json::value_t::array: return list_from_json(value);
    case json::value_t::object: return record_from_json(value);
    default: return refuse("a value", value.type_name());
  }
}

json to_json(const Observation& observation) {
  json line{{"subject", observation.subject.path()}, {"name", observation.name}, {"time", observation.time}};
  if (const Value* value = observation.value()) {
    line["value"] = to_json(*value);
  } else {
    line["absent"] = name_of(observation.absent()->reason);
    if (!observation.absent()->detail.empty()) line["detail"] = observation.absent()->detail;
  }
  if (!observation.unit.empty()) line["unit"] = observation.unit;
  if (!observation.source.empty()) line["source"] = observation.source;
  return line;
}

Result<Observation> observation_from_json(const json& line) {
  if (!line.is_object()) return refuse("an object", line.type_name());
  const auto path = text_field(line, "subject", 512);
  const auto name = text_field(line, "name", kLongestName);
  const auto unit = text_field(line, "unit", 32);
  const auto source = text_field(line, "source", 1024);
  for (const auto* field : {&path, &name, &unit, &source})
    if (!*field) return failure(field->error());
  if (!valid_name(*name)) return refuse("a dotted name", *name);
  const auto subject = Subject::parse(*path);
  if (!subject) return failure(subject.error());
  const auto seen = seen_from_json(line);
  if (!seen) return failure(seen.error());
  const auto time = line.find("time");
  if (time == line.end() || !time->is_number_integer()) return refuse("ns since 1970 as \"time\"", "none");
  return Observation{0, *subject, *name, *seen, *unit, time->get<std::int64_t>(), *source, {}};
}

std::string dump(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

}  // namespace assay::codec
