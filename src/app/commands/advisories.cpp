#include <fmt/format.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/advisories.hpp"
#include "app/command.hpp"
#include "app/paths.hpp"
#include "app/say.hpp"

namespace assay::app::commands {

namespace {

struct Options {
  std::string database;
  std::string day;
  bool json = false;
  // import
  std::vector<std::string> paths;
  bool refused = false;
  // why
  std::string component, version, distro, package;
  std::vector<std::string> conditions;
  int stale_after = advisory::Question().stale_after;
};

std::atomic<bool> stop_asked = false;

Result<advisory::Knowledge> load(const Options& options) {
  return advisory::Knowledge::load(data_folder(), advisories_file(options.database));
}

int run_import(const Options& options) {
  auto database = advisory::Database::create_or_open(advisories_file(options.database));
  if (!database) return report_error(database.error());
  for (const int number : {SIGINT, SIGTERM}) signal(number, [](int) { stop_asked = true; });
  ProgressLine progress;
  advisory::ImportOptions how;
  how.day = options.day;
  how.stop = &stop_asked;
  how.shown = [&](std::uint64_t documents) { progress.show(fmt::format("{} documents read", documents)); };
  const std::vector<std::filesystem::path> paths(options.paths.begin(), options.paths.end());
  const auto imported = advisory::import_feeds(*database, paths, how);
  progress.show("");
  if (!imported) return report_error(imported.error());
  fmt::print("{}", options.json ? imported_json(*imported).dump(1) + "\n" : imported_text(*imported, options.refused));
  return imported->refused_documents > 0 ? kFellShort : kSound;
}

int run_status(const Options& options) {
  const auto knowledge = load(options);
  if (!knowledge) return report_error(knowledge.error());
  const auto status = status_json(*knowledge, advisories_file(options.database), options.day);
  if (!status) return report_error(status.error());
  fmt::print("{}", options.json ? status->dump(1) + "\n" : status_text(*status));
  return (*status)["stale"].get<bool>() ? kFellShort : kSound;
}

Result<advisory::Conditions> conditions_from(const std::vector<std::string>& told) {
  advisory::Conditions conditions;
  for (const std::string& one : told) {
    const auto sign = one.find('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == one.size())
      return failure({Error::Kind::usage, "a condition as KEY=VALUE", "\"" + one + "\"", "--condition",
                      "for example --condition cdi=on"});
    conditions[one.substr(0, sign)] = one.substr(sign + 1);
  }
  return conditions;
}

int exit_of(Status status) {
  switch (status) {
    case Status::fail:
    case Status::warn: return kFellShort;
    case Status::unknown: return kUnseen;
    default: return kSound;
  }
}

int run_why(const Options& options) {
  auto conditions = conditions_from(options.conditions);
  if (!conditions) return report_error(conditions.error());
  const auto knowledge = load(options);
  if (!knowledge) return report_error(knowledge.error());
  advisory::Question question;
  question.component = options.component;
  question.version = options.version;
  question.distro = options.distro;
  question.package = options.package;
  question.conditions = std::move(*conditions);
  question.today = options.day;
  question.stale_after = options.stale_after;
  const auto answer = advisory::decide(*knowledge, question);
  if (!answer) return report_error(answer.error());
  fmt::print("{}",
             options.json
                 ? why_json(question, *answer).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"
                 : why_text(question, *answer));
  return exit_of(answer->status);
}

int run_components(const Options& options) {
  const auto components = advisory::load_components(data_folder() / "components");
  if (!components) return report_error(components.error());
  if (options.json) {
    fmt::print("{}\n", components_json(*components).dump(1));
    return kSound;
  }
  for (const advisory::Component& component : *components)
    fmt::print("{:<26} {:<12} {}\n", component.id, component.kind, component.title);
  return kSound;
}

std::string formats_read() {
  std::string text = "Formats:\n";
  for (const advisory::Format* format : advisory::all_formats())
    text += fmt::format("  {:<16} {}\n", format->name, format->about);
  return text;
}

std::function<int()> setup(CLI::App& app) {
  auto options = std::make_shared<Options>();
  auto chosen = std::make_shared<int (*)(const Options&)>(nullptr);
  app.require_subcommand(1);
  const auto add = [&](const char* name, const char* about, int (*run)(const Options&)) {
    CLI::App* sub = app.add_subcommand(name, about);
    sub->add_flag("--json", options->json, "as JSON");
    sub->callback([chosen, run] { *chosen = run; });
    return sub;
  };
  const auto add_database = [&](CLI::App* sub) {
    sub->add_option("--database", options->database,
                    "the imported advisories (default: advisories.db under the user's "
                    "data folder, or ASSAY_ADVISORIES)");
  };
  const auto add_day = [&](CLI::App* sub) {
    sub->add_option("--on", options->day, "as if it were this day: 2026-12-01")->default_str("today");
  };
  CLI::App* import = add("import", "reads feeds from files, folders and archives into the database", run_import);
  import->add_option("paths", options->paths, "files, folders, zip or tar archives")->required();
  import->add_flag("--refused", options->refused, "list each text that couldn't be read");
  import->footer(formats_read());
  add_database(import);
  CLI::App* status = add("status", "what is known here, and how old it is", run_status);
  add_database(status);
  add_day(status);
  CLI::App* why = add("why", "whether a version of a component can be attacked, and by whose word", run_why);
  why->add_option("component", options->component, "one of assay advisories components")->required();
  why->add_option("version", options->version, "as it is installed")->required();
  why->add_option("--distro", options->distro, "the distribution that made it: debian:12, ubuntu:24.04, almalinux:9");
  why->add_option("--package", options->package, "its source package there (rpm: package), where there are several");
  why->add_option("--condition", options->conditions, "a setting of the node, KEY=VALUE; may be given often");
  why->add_option("--stale-after", options->stale_after, "days after which what is known can't acquit any more")
      ->check(CLI::Range(1, 3650));
  add_database(why);
  add_day(why);
  add("components", "lists the components that verdicts are given on", run_components);
  return [options, chosen] {
    if (options->day.empty()) options->day = today();
    return (*chosen)(*options);
  };
}

}  // namespace

extern const Command advisories = {"advisories", "what is known about weaknesses of software: import, status, why",
                                   setup};

}  // namespace assay::app::commands
