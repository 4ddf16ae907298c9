#include "app/advisories.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace assay::app {

namespace {

using nlohmann::ordered_json;

std::string variable(const char* name) {
  const char* told = std::getenv(name);
  return told == nullptr ? "" : told;
}

std::string exploited_words(const advisory::Finding& finding) { return finding.exploited ? ", attacked already" : ""; }

std::string line_of(const advisory::Finding& finding) {
  std::string aliases;
  for (const std::string& alias : finding.aliases) aliases += " " + text::printable(alias);
  return fmt::format("  {:<12} {} {}{}: {} [{}]\n               {}{}\n", name_of(finding.stand.standing),
                     text::printable(finding.id), name_of(finding.advisory->severity), exploited_words(finding),
                     text::printable(finding.stand.reason), name_of(finding.basis),
                     text::printable(finding.advisory->title), aliases.empty() ? "" : " (" + aliases.substr(1) + ")");
}

}  // namespace

std::filesystem::path advisories_file(const std::string& told) {
  if (!told.empty()) return told;
  if (const std::string file = variable("ASSAY_ADVISORIES"); !file.empty()) return file;
  if (const std::string folder = variable("XDG_DATA_HOME"); !folder.empty())
    return std::filesystem::path(folder) / "assay/advisories.db";
  const std::string home = variable("HOME");
  return std::filesystem::path(home.empty() ? "/root" : home) / ".local/share/assay/advisories.db";
}

std::string today() {
  return fmt::format("{:%Y-%m-%d}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

ordered_json why_json(const advisory::Question& question, const advisory::Answer& answer) {
  ordered_json advisories = ordered_json::array();
  for (const advisory::Finding& finding : answer.findings) {
    const auto optional = [](const std::string& text) { return text.empty() ? ordered_json() : ordered_json(text); };
    advisories.push_back({{"id", finding.id},
                          {"aliases", finding.aliases},
                          {"status", name_of(finding.stand.standing)},
                          {"fixed", optional(finding.stand.fixed)},
                          {"basis", name_of(finding.basis)},
                          {"reason", finding.stand.reason},
                          {"severity", name_of(finding.advisory->severity)},
                          {"vector", optional(finding.advisory->vector)},
                          {"exploited", finding.exploited},
                          {"title", finding.advisory->title},
                          {"source", finding.advisory->source},
                          {"url", optional(finding.advisory->url)}});
  }
  const auto optional = [](const std::string& text) { return text.empty() ? ordered_json() : ordered_json(text); };
  const advisory::Lifecycle& lifecycle = answer.lifecycle;
  return {{"component", question.component},
          {"version", question.version},
          {"distro", optional(question.distro)},
          {"status", name_of(answer.status)},
          {"reason", answer.reason},
          {"advisories", std::move(advisories)},
          {"step", {{"smallest", optional(answer.smallest)}, {"newest", optional(answer.newest)}}},
          {"lifecycle",
           {{"status", name_of(lifecycle.status)},
            {"line", optional(lifecycle.line)},
            {"end", optional(lifecycle.end)},
            {"latest", optional(lifecycle.latest)}}}};
}

std::string why_text(const advisory::Question& question, const advisory::Answer& answer) {
  std::string text = fmt::format(
      "{} {} {}{}: {}\n", name_of(answer.status), question.component, text::printable(question.version),
      question.distro.empty() ? "" : " of " + text::printable(question.distro), text::printable(answer.reason));
  for (const advisory::Finding& finding : answer.findings) text += line_of(finding);
  if (!answer.smallest.empty())
    text += fmt::format("  smallest step {}, newest {}\n", text::printable(answer.smallest),
                        text::printable(answer.newest));
  const advisory::Lifecycle& life = answer.lifecycle;
  if (life.status == Status::not_applicable || life.line.empty()) return text;
  text += fmt::format("  the line {} {}{}{}\n", text::printable(life.line),
                      life.status == Status::fail      ? "is no longer mended by its makers"
                      : life.status == Status::unknown ? "isn't in the lists of support known here"
                                                       : "is mended by its makers",
                      life.end.empty() ? "" : (life.status == Status::fail ? " since " : " until ") + life.end,
                      life.latest.empty() ? "" : "; its newest is " + text::printable(life.latest));
  return text;
}

ordered_json imported_json(const advisory::Imported& imported) {
  ordered_json formats = ordered_json::object();
  for (const auto& [name, counts] : imported.formats)
    formats[name] = {{"documents", counts.documents},
                     {"records", counts.advisories},
                     {"ranges", counts.ranges},
                     {"refused", counts.refused},
                     {"elsewhere", counts.elsewhere}};
  ordered_json refused = ordered_json::array();
  for (const advisory::Refusal& refusal : imported.refused)
    refused.push_back({{"document", text::to_utf8(refusal.document)},
                       {"subject", text::to_utf8(refusal.subject)},
                       {"came", text::to_utf8(refusal.came, 200)},
                       {"why", text::to_utf8(refusal.why)}});
  return {{"formats", std::move(formats)},
          {"bytes", imported.bytes},
          {"seconds", imported.seconds},
          {"unknown_documents", imported.unknown_documents},
          {"refused_documents", imported.refused_documents},
          {"refusals", imported.refusals},
          {"refused", std::move(refused)}};
}

std::string imported_text(const advisory::Imported& imported, bool all) {
  std::string text;
  for (const auto& [name, counts] : imported.formats) {
    text += fmt::format("{}: {} records from {} documents", name, counts.advisories, counts.documents);
    if (counts.ranges > 0)
      text += fmt::format("; of {} texts that tell versions {} were read, {} refused, {} are about other systems",
                          counts.ranges, counts.ranges - counts.refused - counts.elsewhere, counts.refused,
                          counts.elsewhere);
    text += "\n";
  }
  if (imported.unknown_documents > 0)
    text += fmt::format("{} documents are of no format that assay reads\n", imported.unknown_documents);
  constexpr std::size_t kShown = 10;
  const std::size_t shown = all ? imported.refused.size() : std::min(kShown, imported.refused.size());
  if (imported.refusals > 0)
    text += fmt::format("refused, {} in all{}:\n", imported.refusals,
                        shown < imported.refusals ? " (--refused lists them)" : "");
  for (std::size_t i = 0; i < shown; ++i) {
    const advisory::Refusal& refusal = imported.refused[i];
    text += fmt::format("  {}{}{}: {}{}\n", text::printable(refusal.document), refusal.subject.empty() ? "" : " ",
                        text::printable(refusal.subject), text::printable(refusal.why),
                        refusal.came.empty() ? "" : ", got \"" + text::printable(refusal.came) + "\"");
  }
  text += fmt::format("{:.1f} MB in {:.2f} s\n", static_cast<double>(imported.bytes) / 1e6, imported.seconds);
  return text;
}

Result<ordered_json> status_json(const advisory::Knowledge& knowledge, const std::filesystem::path& file,
                                 const std::string& day) {
  const auto newest = knowledge.newest();
  if (!newest) return failure(newest.error());
  ordered_json sources = ordered_json::array();
  sources.push_back({{"source", "assay (the floor)"}, {"newest", knowledge.floor_date()}, {"imported", nullptr}});
  if (knowledge.database()) {
    const auto states = knowledge.database()->sources();
    if (!states) return failure(states.error());
    for (const advisory::SourceState& state : *states)
      sources.push_back({{"source", state.source},
                         {"records", state.records},
                         {"newest", state.newest},
                         {"imported", state.imported}});
  }
  const auto age = advisory::days_between(*newest, day);
  const int bound = advisory::Question().stale_after;
  return ordered_json{{"database", knowledge.database() ? ordered_json(file.string()) : ordered_json()},
                      {"sources", std::move(sources)},
                      {"newest", *newest},
                      {"age_days", age ? ordered_json(*age) : ordered_json()},
                      {"stale", !age || *age > bound},
                      {"stale_after_days", bound}};
}

std::string status_text(const ordered_json& status) {
  std::string text =
      status["database"].is_null()
          ? std::string("nothing was imported yet: the floor that assay brings is all there is\n")
          : fmt::format("imported advisories: {}\n", text::printable(status["database"].get<std::string>()));
  for (const auto& source : status["sources"]) {
    const std::string name = text::printable(source["source"].get<std::string>());
    if (source["imported"].is_null())
      text += fmt::format("  {:<24} compared with its sources on {}\n", name, source["newest"].get<std::string>());
    else
      text += fmt::format("  {:<24} {} records, the newest of {}, imported {}\n", name,
                          source["records"].get<std::uint64_t>(), text::printable(source["newest"].get<std::string>()),
                          text::printable(source["imported"].get<std::string>()));
  }
  if (status["stale"].get<bool>())
    return text + fmt::format(
                      "older than {} days: it can't acquit any more; import newer feeds with assay advisories import\n",
                      status["stale_after_days"].get<int>());
  return text + fmt::format("{} days old\n", status["age_days"].get<int>());
}

ordered_json components_json(const std::vector<advisory::Component>& components) {
  ordered_json all = ordered_json::array();
  for (const advisory::Component& component : components)
    all.push_back({{"id", component.id},
                   {"title", component.title},
                   {"kind", component.kind},
                   {"scheme", version::name_of(component.scheme)}});
  return all;
}

}  // namespace assay::app
