#include "advisory/floor.hpp"

#include <algorithm>
#include <iterator>

#include "advisory/json.hpp"
#include "catalog/yaml.hpp"

namespace assay::advisory {

namespace {

using catalog::Mapping;

// A date as "2025-11-05"; refused if it is anything else.
std::string date_or_none(Mapping& from, const std::string& key) {
  const std::string text = from.text_or(key, "");
  if (!text.empty() && (text.size() != 10 || json::date(text).empty()))
    from.refuse(key, "a date like 2025-11-05", text);
  return text;
}

// `fixed` as a list of versions; "none" is one range without an end.
void read_fixed(Mapping& from, Affected& affected) {
  affected.fixed = from.list("fixed");
  if (affected.fixed == std::vector<std::string>{"none"}) {
    affected.fixed.clear();
    affected.ranges = {{from.text_or("introduced", ""), "", ""}};
    return;
  }
  affected.introduced = from.text_or("introduced", "");
}

Range read_range(Mapping& from) {
  Range range{from.text_or("introduced", ""), from.text_or("fixed", ""), from.text_or("last", "")};
  if (!range.fixed.empty() && !range.last.empty()) from.refuse("last", "\"fixed\" or \"last\"", "both");
  return range;
}

void read_versions(Mapping& from, Affected& affected) {
  read_fixed(from, affected);
  std::vector<Range> ranges;
  for (Mapping& range : from.mappings("ranges")) {
    ranges.push_back(read_range(range));
    from.adopt(range);
  }
  if (!ranges.empty()) affected.ranges = std::move(ranges);
  affected.versions = from.list("versions");
  affected.conditions = from.list("conditions");
  affected.note = from.text_or("note", "");
}

Affected::Says read_says(Mapping& from) {
  const std::string word = from.text_or("says", "affected");
  if (word == "not_affected") return Affected::Says::not_affected;
  if (word == "undecided") return Affected::Says::undecided;
  if (word != "affected") from.refuse("says", "affected, not_affected or undecided", word);
  return Affected::Says::affected;
}

Affected read_distribution(Mapping& from, const std::string& release) {
  Affected affected;
  affected.ecosystem = release;
  affected.package = from.text("package");
  affected.says = read_says(from);
  read_versions(from, affected);
  const bool silent = affected.fixed.empty() && affected.ranges.empty() && affected.versions.empty();
  if (silent && affected.says == Affected::Says::affected) affected.ranges = {Range{}};
  return affected;
}

void read_upstream(Mapping& from, const std::string& component, Advisory& advisory) {
  Affected affected;
  affected.ecosystem = "upstream";
  affected.package = component;
  read_versions(from, affected);
  if (affected.fixed.empty() && affected.ranges.empty() && affected.versions.empty()) {
    if (from.has("distributions")) return;  // a fact of distributions alone
    from.refuse("fixed", "\"fixed\", \"ranges\", \"versions\" or \"distributions\"", "none of them");
  }
  advisory.affected.push_back(std::move(affected));
}

void read_distributions(Mapping& from, Advisory& advisory) {
  auto distributions = from.mapping("distributions");
  if (!distributions) return;
  for (const std::string& release : distributions->keys()) {
    if (release.find(':') == std::string::npos) distributions->refuse(release, "a release as ID:VERSION_ID", release);
    for (Mapping& one : distributions->one_or_more(release)) {
      advisory.affected.push_back(read_distribution(one, release));
      distributions->adopt(one);
    }
  }
  from.adopt(*distributions);
}

void read_advisory(Mapping& from, const std::string& component, Floor& floor) {
  Advisory advisory;
  advisory.aliases = from.list("cves");
  if (advisory.aliases.empty()) from.refuse("cves", "at least one CVE or other id", "none");
  advisory.id = advisory.aliases.empty() ? "" : advisory.aliases.front();
  std::sort(advisory.aliases.begin(), advisory.aliases.end());
  advisory.title = from.text("title");
  const std::string severity = from.text("severity");
  advisory.severity = severity_from(severity);
  if (advisory.severity == Severity::unknown && severity != "unknown")
    from.refuse("severity", "low, medium, high, critical or unknown", severity);
  advisory.vector = from.text_or("vector", "");
  advisory.source = "assay";
  advisory.url = from.text("source");
  advisory.published = date_or_none(from, "published");
  advisory.fixed_date = date_or_none(from, "available");
  if (const std::string since = date_or_none(from, "exploited"); !since.empty())
    for (const std::string& cve : advisory.aliases) floor.exploited.push_back({cve, since, "assay"});
  read_upstream(from, component, advisory);
  read_distributions(from, advisory);
  floor.advisories.push_back(std::move(advisory));
}

Cycle read_cycle(Mapping& from) {
  Cycle cycle;
  cycle.product = from.text("product");
  cycle.line = from.text("line");
  cycle.released = date_or_none(from, "released");
  cycle.end = date_or_none(from, "end");
  const std::string ended = from.text_or("ended", "no");
  if (ended != "yes" && ended != "no") from.refuse("ended", "yes or no", ended);
  cycle.ended = ended == "yes";
  cycle.extended_end = date_or_none(from, "extended_end");
  cycle.latest = from.text_or("latest", "");
  cycle.latest_date = date_or_none(from, "latest_date");
  cycle.source = from.text("source");
  return cycle;
}

}  // namespace

Result<Floor> parse_floor(const std::string& component, const std::string& yaml, const std::string& where) {
  const auto node = catalog::parse_yaml(yaml, where);
  if (!node) return failure(node.error());
  Mapping from(*node, where);
  Floor floor;
  floor.components = {component};
  from.text_or("about", "");
  floor.date = date_or_none(from, "date");
  if (floor.date.empty()) from.refuse("date", "the day the file was last compared with its sources", "none");
  for (Mapping& entry : from.mappings("advisories")) {
    read_advisory(entry, component, floor);
    from.adopt(entry);
  }
  for (Mapping& entry : from.mappings("lines")) {
    floor.cycles.push_back(read_cycle(entry));
    from.adopt(entry);
  }
  if (auto finished = from.finish(); !finished) return failure(finished.error());
  return floor;
}

Result<Floor> load_floor(const std::filesystem::path& folder) {
  const auto files = catalog::yaml_files(folder);
  if (!files) return failure(files.error());
  Floor whole;
  for (const auto& file : *files) {
    const auto text = catalog::read_file(file);
    if (!text) return failure(text.error());
    auto floor = parse_floor(file.stem().string(), *text, file.string());
    if (!floor) return failure(floor.error());
    std::move(floor->advisories.begin(), floor->advisories.end(), std::back_inserter(whole.advisories));
    std::move(floor->exploited.begin(), floor->exploited.end(), std::back_inserter(whole.exploited));
    std::move(floor->cycles.begin(), floor->cycles.end(), std::back_inserter(whole.cycles));
    whole.components.push_back(file.stem().string());
    if (whole.date.empty() || floor->date < whole.date) whole.date = floor->date;
  }
  return whole;
}

}  // namespace assay::advisory
