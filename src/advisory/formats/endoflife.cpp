// endoflife.date: files with YAML front matter (https://github.com/endoflife-date/endoflife.date, products/), its
// interface's list of cycles (api/PRODUCT.json; the product is the file's name), and the later form with a "result".
#include "advisory/formats/endoflife_detail.hpp"
#include "advisory/json.hpp"
#include "base/text.hpp"

namespace assay::advisory::formats {

namespace {

// A date, or "true" or "false"; "" where there is none.
std::string told(json::Element cycle, std::string_view key) {
  const json::Element held = json::member(cycle, key);
  if (held.is_bool()) return held.get_bool().value_unsafe() ? "true" : "false";
  if (held.is_null()) return {};
  return held.is_string() ? std::string(json::text(held)) : "another value";
}

// "isEol" with "eolFrom": the date says more.
std::string told(json::Element release, std::string_view is, std::string_view from) {
  const std::string date = told(release, from);
  return date.empty() ? told(release, is) : date;
}

void read_cycles(json::Array cycles, const Document& document, Batch& batch) {
  for (const json::Element cycle : cycles) {
    if (too_much_refused(batch)) return;
    take_cycle({product_of(document.name), told(cycle, "cycle"), told(cycle, "releaseDate"), told(cycle, "eol"),
                told(cycle, "extendedSupport"), told(cycle, "latest"), told(cycle, "latestReleaseDate")},
               document, batch);
  }
}

void read_result(json::Element product, const Document& document, Batch& batch) {
  for (const json::Element release : json::list(product, "releases")) {
    if (too_much_refused(batch)) return;
    const json::Element latest = json::member(release, "latest");
    take_cycle({std::string(json::text(product, "name")), told(release, "name"), told(release, "releaseDate"),
                told(release, "isEol", "eolFrom"), told(release, "isEoes", "eoesFrom"), told(latest, "name"),
                told(latest, "date")},
               document, batch);
  }
}

bool recognizes(const Document& document) {
  if (is_front_matter(document.text)) return true;
  const auto head = document.text.substr(0, 1 << 16);
  const auto has = [&](std::string_view word) { return head.find(word) != std::string_view::npos; };
  const std::string_view start = text::trim(head.substr(0, 256));
  if (start.starts_with('[')) return has("\"cycle\"") && has("\"eol\"");
  return start.starts_with('{') && has("\"isEol\"") && has("\"result\"");
}

Result<Batch> read(const Document& document) {
  if (document.text.starts_with("---")) return read_front_matter(document);
  const bool list = text::trim(document.text.substr(0, 256)).starts_with('[');
  const auto parsed = json::Parsed::parse(document, list);
  if (!parsed) return failure(parsed.error());
  Batch batch;
  if (list) {
    read_cycles(parsed->root().get_array().value_unsafe(), document, batch);
    return unless_too_much_refused(std::move(batch), document);
  }
  const json::Element result = json::member(parsed->root(), "result");
  if (!result.is_object() && !result.is_array())
    return failure({Error::Kind::usage, "a \"result\"", "none", document.name, "get the feed again"});
  if (result.is_object()) read_result(result, document, batch);
  for (const json::Element product : json::list(parsed->root(), "result")) read_result(product, document, batch);
  return unless_too_much_refused(std::move(batch), document);
}

}  // namespace

extern const Format endoflife = {"endoflife", "endoflife.date's release lines, front matter or JSON", recognizes, read};

}  // namespace assay::advisory::formats
