#include "advisory/formats/endoflife_detail.hpp"

#include <algorithm>

#include "advisory/json.hpp"
#include "base/text.hpp"
#include "catalog/yaml.hpp"

namespace assay::advisory::formats {

namespace {

// The longest is 30 KB; yaml-cpp is slow, and a hostile one costs more than it is worth.
constexpr std::size_t kFrontMatter = 1 << 20;
constexpr std::size_t kDeepest = 40;

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= 60 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

// A date or nothing, or a word that says whether it is over: each told wrong is refused.
bool date_or_word(std::string_view told) {
  return told.empty() || told == "true" || told == "false" || !json::date(told).empty();
}

// yaml-cpp goes down by calls, one a level.
bool too_deep(std::string_view yaml) {
  std::size_t open = 0;
  for (const std::string_view line : text::lines(yaml)) {
    const auto indent = std::min(line.find_first_not_of(' '), line.size());
    const auto dashes = line.substr(indent).find_first_not_of("- ?:");
    if (indent > kDeepest * 2 || (dashes != std::string_view::npos && dashes > kDeepest)) return true;
    for (const char c : line) {
      if (c == '[' || c == '{') ++open;
      if ((c == ']' || c == '}') && open > 0) --open;
      if (open > kDeepest) return true;
    }
  }
  return false;
}

std::string scalar(const YAML::Node& release, const char* key) {
  const YAML::Node held = release[key];
  return held.IsDefined() && held.IsScalar() ? held.Scalar() : std::string();
}

void read_releases(const YAML::Node& root, const Document& document, Batch& batch) {
  ToldCycle told;
  told.product = root["permalink"].IsDefined() ? scalar(root, "permalink") : product_of(document.name);
  if (told.product.starts_with('/')) told.product.erase(0, 1);
  for (const YAML::Node& release : root["releases"]) {
    if (too_much_refused(batch)) return;
    if (!release.IsMap()) {
      batch.refused.push_back({document.name, told.product, "another value", "a release with a releaseCycle"});
      continue;
    }
    told.line = scalar(release, "releaseCycle");
    told.released = scalar(release, "releaseDate");
    told.end = scalar(release, "eol");
    told.extended = scalar(release, "eoes");
    told.latest = scalar(release, "latest");
    told.latest_date = scalar(release, "latestReleaseDate");
    take_cycle(told, document, batch);
  }
}

}  // namespace

std::string product_of(std::string_view name) {
  const std::string_view base = name.substr(name.find_last_of("/!") + 1);
  return std::string(base.substr(0, base.find('.')));
}

void take_cycle(const ToldCycle& told, const Document& document, Batch& batch) {
  ++batch.ranges;
  std::string_view line = told.line;
  const bool driver = told.product == "nvidia";
  if (driver) {
    if (line.ends_with("-windows")) {
      ++batch.elsewhere;
      return;
    }
    if (line.ends_with("-linux")) line.remove_suffix(6);
    if (line.starts_with('r')) line.remove_prefix(1);
  }
  const auto refuse = [&](std::string_view came, const char* why) {
    batch.refused.push_back(
        {document.name, text::to_utf8(told.product + " " + told.line, 200), text::to_utf8(came, 200), why});
  };
  if (!is_name(told.product)) return refuse(told.product, "a product's name");
  if (!is_name(line)) return refuse(told.line, "a release line");
  if (told.end.empty() || !date_or_word(told.end)) return refuse(told.end, "a date, true or false as its end");
  if (!date_or_word(told.extended)) return refuse(told.extended, "a date, true or false as its extended end");
  Cycle cycle;
  cycle.product = driver ? "nvidia-driver" : told.product;
  cycle.line = line;
  cycle.released = json::date(told.released);
  cycle.end = json::date(told.end);
  cycle.ended = told.end == "true";
  cycle.extended_end = json::date(told.extended);
  if (is_name(told.latest)) cycle.latest = told.latest;
  if (!cycle.latest.empty()) cycle.latest_date = json::date(told.latest_date);
  cycle.source = "endoflife.date";
  batch.cycles.push_back(std::move(cycle));
}

bool is_front_matter(std::string_view text) {
  const auto head = text.substr(0, kFrontMatter);
  return text.starts_with("---") && head.find("\nreleases:") != std::string_view::npos &&
         head.find("releaseCycle:") != std::string_view::npos;
}

Result<Batch> read_front_matter(const Document& document) {
  const auto refuse = [&](std::string came) {
    return failure({Error::Kind::usage, "front matter with a list \"releases\"", std::move(came), document.name,
                    "get the file again from endoflife.date"});
  };
  const auto first = document.text.find('\n');
  if (first == std::string_view::npos || text::trim(document.text.substr(0, first)) != "---") return refuse("none");
  // What follows its end is a text for people.
  const auto last = document.text.find("\n---", first);
  const std::string_view yaml = document.text.substr(first + 1, last == std::string_view::npos ? last : last - first);
  if (yaml.size() > kFrontMatter) return refuse("more than 1 MiB of it");
  if (too_deep(yaml)) return refuse("a deeper one");
  const auto root = catalog::parse_yaml(std::string(yaml), document.name);
  if (!root) return failure(root.error());
  try {
    const YAML::Node top = *root;
    if (!top.IsMap() || !top["releases"].IsDefined() || !top["releases"].IsSequence()) return refuse("no such list");
    Batch batch;
    read_releases(top, document, batch);
    return unless_too_much_refused(std::move(batch), document);
  } catch (const YAML::Exception& error) {
    return refuse(error.msg);
  }
}

}  // namespace assay::advisory::formats
