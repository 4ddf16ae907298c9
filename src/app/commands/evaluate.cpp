#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "app/command.hpp"
#include "app/evaluation.hpp"
#include "app/not_empty.hpp"
#include "app/presentation.hpp"
#include "app/say.hpp"

namespace assay::app::commands {

namespace {

struct Options {
  EvaluateOptions evaluate;
  RatingFiles files;
  long host_limit = 120;
  std::string fail_on = "warn";
  bool json = false;
};

int run(Options& options) {
  const auto catalogue = load_catalogue(options.files);
  if (!catalogue) return report_error(catalogue.error());
  auto seen = see(options.evaluate);
  if (!seen) return report_error(seen.error());
  const std::string folder = seen->store.folder().string();
  if (seen->stopped) {
    say(fmt::format("assay: stopped. What was seen so far is safe; go on with: assay evaluate --resume {}", folder));
    return kUnseen;
  }
  const auto report = report_on(seen->store, *catalogue);
  if (!report) return report_error(report.error());
  if (auto kept = seen->store.set_verdicts(report->verdicts); !kept) return report_error(kept.error());
  if (auto shown = show(*report, folder, options.json); !shown) return report_error(shown.error());
  return exit_code(*report, options.fail_on);
}

// A run goes on with what it was begun with.
Result<void> check_alone(const CLI::App& app, const Options& options) {
  const std::string given = target_options_given(app);
  if (options.evaluate.resume.empty() || given.empty()) return {};
  return failure({Error::Kind::usage, "--resume alone", given + " beside it", options.evaluate.resume,
                  "a run goes on with the target it was begun with; leave " + given + " out"});
}

std::function<int()> setup(CLI::App& app) {
  auto options = std::make_shared<Options>();
  options->evaluate.target.add_options(app);
  auto* resume = app.add_option("--resume", options->evaluate.resume,
                                "go on with this run's folder: finished steps aren't done again");
  resume->check(not_empty);
  app.add_option("-o,--out", options->evaluate.out, "the new run's folder (default: assay-runs/CLUSTER/TIME)")
      ->excludes(resume)
      ->check(not_empty);
  app.add_option("--host-limit", options->host_limit, "seconds for one host")->check(CLI::Range(1, 86400));
  app.add_option("--fail-on", options->fail_on, "exit 1 on: warn (and fail; the default), fail, never")
      ->check(CLI::IsMember({"warn", "fail", "never"}));
  add_rating_options(app, options->files);
  app.add_flag("--json", options->json, "report.json on stdout");
  return [options, &app] {
    if (auto alone = check_alone(app, *options); !alone) return report_error(alone.error());
    options->evaluate.host_limit = std::chrono::seconds(options->host_limit);
    return run(*options);
  };
}

}  // namespace

extern const Command evaluate = {"evaluate", "looks at everything that applies, and makes a rated report", setup};

}  // namespace assay::app::commands
