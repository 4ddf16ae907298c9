#include "advisory/json.hpp"

#include "base/text.hpp"

namespace assay::advisory::json {

namespace {

// What a missing list is, so that asking for one is always an answer.
Array empty_list() {
  static simdjson::dom::parser parser;
  static const Array empty = parser.parse(simdjson::padded_string(std::string_view("[]"))).get_array().value_unsafe();
  return empty;
}

Element null() {
  static simdjson::dom::parser parser;
  static const Element nothing = parser.parse(simdjson::padded_string(std::string_view("null"))).value_unsafe();
  return nothing;
}

}  // namespace

Result<Parsed> Parsed::parse(const Document& document, bool list) {
  Parsed parsed;
  parsed.parser_ = std::make_unique<simdjson::dom::parser>();
  const auto refuse = [&](std::string came) {
    return failure({Error::Kind::usage, list ? "a list in JSON" : "an object in JSON", std::move(came), document.name,
                    "get the feed again from its publisher"});
  };
  if (const auto error = parsed.parser_->allocate(document.text.size() + 1, kDepth))
    return refuse(error_message(error));
  const auto result = parsed.parser_->parse(document.text.data(), document.text.size(), false);
  if (result.error() != simdjson::SUCCESS) return refuse(error_message(result.error()));
  parsed.root_ = result.value_unsafe();
  if (list ? !parsed.root_.is_array() : !parsed.root_.is_object()) return refuse("another kind of value");
  return parsed;
}

Element member(Element object, std::string_view key) {
  const auto found =
      object.is_object() ? object.at_key(key) : simdjson::simdjson_result<Element>(simdjson::NO_SUCH_FIELD);
  return found.error() == simdjson::SUCCESS ? found.value_unsafe() : null();
}

bool has(Element object, std::string_view key) { return !member(object, key).is_null(); }

std::string_view text(Element element) {
  return element.is_string() ? element.get_string().value_unsafe() : std::string_view();
}

std::string_view text(Element object, std::string_view key) { return text(member(object, key)); }

double number(Element object, std::string_view key, double otherwise) {
  const Element found = member(object, key);
  return found.is_number() ? found.get_double().value_unsafe() : otherwise;
}

Array list(Element object, std::string_view key) {
  const Element found = member(object, key);
  return found.is_array() ? found.get_array().value_unsafe() : empty_list();
}

std::string date(std::string_view text) {
  const auto day = text.substr(0, 10);
  const bool sound = day.size() == 10 && day[4] == '-' && day[7] == '-' && text::integer(day.substr(0, 4)) &&
                     text::integer(day.substr(5, 2)) && text::integer(day.substr(8, 2));
  return sound && !day.starts_with("0001") ? std::string(day) : std::string();
}

}  // namespace assay::advisory::json
