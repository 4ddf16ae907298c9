#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "app/explain.hpp"
#include "app/say.hpp"

namespace assay::app::commands {

namespace {

int run(bool json) {
  const auto catalogue = load_catalogue();
  if (!catalogue) return report_error(catalogue.error());
  if (json) {
    fmt::print("{}\n", checks_json(*catalogue).dump(1));
    return kSound;
  }
  for (const catalog::Check& check : catalogue->checks)
    fmt::print("{:<46} {:<9} {}\n", check.id, check.severity, check.title);
  return kSound;
}

std::function<int()> setup(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "as JSON (docs/schemas/checks.schema.json)");
  return [json] { return run(*json); };
}

}  // namespace

extern const Command checks = {"checks", "lists every check", setup};

}  // namespace assay::app::commands
