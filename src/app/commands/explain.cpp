#include "app/explain.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "app/say.hpp"
#include "base/text.hpp"
#include "evidence/store.hpp"

namespace assay::app::commands {

namespace {

struct Options {
  std::string id;
  std::string run;
  bool json = false;
};

// What the check said in one run, and on which observations.
Result<std::vector<std::string>> said_in(const std::string& run, const std::string& check) {
  const auto store = Store::open_for_reading(run);
  if (!store) return failure(store.error());
  const auto verdicts = store->verdicts();
  if (!verdicts) return failure(verdicts.error());
  const auto observations = store->observations();
  if (!observations) return failure(observations.error());
  std::map<std::int64_t, const Observation*> by_id;
  for (const Observation& observation : *observations) by_id[observation.id] = &observation;
  std::vector<std::string> lines;
  for (const Verdict& verdict : *verdicts) {
    if (verdict.check != check) continue;
    lines.push_back(fmt::format("{} {}: {}", name_of(verdict.status), verdict.subject.path(), verdict.why));
    for (const std::int64_t id : verdict.evidence)
      if (const auto found = by_id.find(id); found != by_id.end())
        lines.push_back(fmt::format("  {} {} = {} ({})", found->second->subject.path(), found->second->name,
                                    to_text(*found->second), found->second->source));
  }
  return lines;
}

int run(const Options& options) {
  const auto catalogue = load_catalogue();
  if (!catalogue) return report_error(catalogue.error());
  auto explained = explain(*catalogue, options.id);
  if (!explained) return report_error(explained.error());
  if (!options.run.empty()) {
    const auto said = said_in(options.run, options.id);
    if (!said) return report_error(said.error());
    auto& lines = (*explained)["said"] = nlohmann::ordered_json::array();
    for (const std::string& line : *said) lines.push_back(options.json ? text::to_utf8(line) : text::printable(line));
  }
  fmt::print("{}", options.json ? explained->dump(1) + "\n" : explain_text(*explained));
  return kSound;
}

std::function<int()> setup(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("id", options->id, "a check, a rubric item or a criterion")->required();
  app.add_option("--run", options->run, "also what the check said in this run, and on which observations");
  app.add_flag("--json", options->json, "as one JSON object");
  return [options] { return run(*options); };
}

}  // namespace

extern const Command explain = {"explain", "tells all about a check, a rubric item or a criterion", setup};

}  // namespace assay::app::commands
