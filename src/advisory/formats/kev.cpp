// CISA's catalog of weaknesses that are known to be attacked: one JSON object with a list "vulnerabilities".
#include "advisory/format.hpp"
#include "advisory/json.hpp"

namespace assay::advisory::formats {

namespace {

bool recognizes(const Document& document) {
  const auto head = document.text.substr(0, 4096);
  return head.find("\"catalogVersion\"") != std::string_view::npos || head.find("\"cveID\"") != std::string_view::npos;
}

Result<Batch> read(const Document& document) {
  const auto parsed = json::Parsed::parse(document);
  if (!parsed) return failure(parsed.error());
  if (!json::member(parsed->root(), "vulnerabilities").is_array())
    return failure({Error::Kind::usage, "a list \"vulnerabilities\"", "none", document.name,
                    "get the feed again from its publisher"});
  Batch batch;
  for (const json::Element entry : json::list(parsed->root(), "vulnerabilities")) {
    if (too_much_refused(batch)) break;
    const std::string_view cve = json::text(entry, "cveID");
    if (cve.starts_with("CVE-"))
      batch.exploited.push_back({std::string(cve), json::date(json::text(entry, "dateAdded")), "cisa-kev"});
    else
      batch.refused.push_back({document.name, "", std::string(cve.substr(0, 200)), "a cveID that begins with CVE-"});
  }
  return unless_too_much_refused(std::move(batch), document);
}

}  // namespace

extern const Format kev = {"kev", "CISA's known exploited vulnerabilities, JSON", recognizes, read};

}  // namespace assay::advisory::formats
