#include <CLI/CLI.hpp>
#include <memory>

#include "app/command.hpp"
#include "app/presentation.hpp"
#include "app/say.hpp"

namespace assay::app::commands {

namespace {

struct Options {
  std::string run;
  RatingFiles files;
  std::string fail_on = "warn";
  bool json = false;
};

// From the observations: a run is judged and rated by what is known now, and its report files are written anew.
int run(const Options& options) {
  const auto catalogue = load_catalogue(options.files);
  if (!catalogue) return report_error(catalogue.error());
  const auto store = Store::open_for_reading(options.run);
  if (!store) return report_error(store.error());
  const auto report = report_on(*store, *catalogue);
  if (!report) return report_error(report.error());
  if (auto shown = show(*report, options.run, options.json); !shown) return report_error(shown.error());
  return exit_code(*report, options.fail_on);
}

std::function<int()> setup(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("run", options->run, "a run's folder")->required();
  add_rating_options(app, options->files);
  app.add_option("--fail-on", options->fail_on, "exit 1 on: warn (and fail; the default), fail, never")
      ->check(CLI::IsMember({"warn", "fail", "never"}));
  app.add_flag("--json", options->json, "report.json on stdout");
  return [options] { return run(*options); };
}

}  // namespace

extern const Command report = {"report", "judges, rates and shows a run again, without touching a machine", setup};

}  // namespace assay::app::commands
