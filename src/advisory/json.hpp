// Feeds' JSON by simdjson, without exceptions: one document read whole, members asked for by name, each kind checked.
// The only header that includes simdjson.
#pragma once

#include <simdjson.h>

#include <memory>
#include <string>
#include <string_view>

#include "advisory/format.hpp"
#include "base/error.hpp"

namespace assay::advisory::json {

using Element = simdjson::dom::element;
using Object = simdjson::dom::object;
using Array = simdjson::dom::array;

// Nested deeper than this is no feed.
inline constexpr std::size_t kDepth = 64;

// A document parsed; its root is valid as long as this lives.
class Parsed {
 public:
  // The root must be an object, or with `list` an array.
  static Result<Parsed> parse(const Document& document, bool list = false);
  Element root() const { return root_; }

 private:
  std::unique_ptr<simdjson::dom::parser> parser_;
  Element root_;
};

// Members of an object; a missing one, or one of another kind, is empty.
std::string_view text(Element object, std::string_view key);
double number(Element object, std::string_view key, double otherwise);
Array list(Element object, std::string_view key);      // to iterate; an empty array if there is none
Element member(Element object, std::string_view key);  // null if there is none
bool has(Element object, std::string_view key);
// The element itself, if it is a text.
std::string_view text(Element element);

// "2025-11-05" of "2025-11-05T10:11:12Z"; empty if it doesn't begin with a date, or is the year 1, which Go writes for
// none.
std::string date(std::string_view text);

}  // namespace assay::advisory::json
