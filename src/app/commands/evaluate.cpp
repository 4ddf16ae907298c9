#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "app/command.hpp"
#include "app/evaluation.hpp"
#include "app/paths.hpp"
#include "app/say.hpp"
#include "base/text.hpp"

namespace assay::app::commands {

namespace {

struct Options {
  EvaluateOptions evaluate;
  long host_limit = 120;
  std::string fail_on = "warn";
  bool json = false;
};

// Nothing is called sound on the strength of what wasn't seen: with fewer than half of the verdicts known, or a host
// that never answered, there is not enough to say.
int exit_code(const std::vector<Verdict>& verdicts, const std::string& fail_on) {
  const auto count = [&](Status status) {
    return std::count_if(verdicts.begin(), verdicts.end(), [&](const Verdict& v) { return v.status == status; });
  };
  if (fail_on != "never" && count(Status::fail) > 0) return kFellShort;
  if (fail_on == "warn" && count(Status::warn) > 0) return kFellShort;
  return count(Status::unknown) > count(Status::pass) + count(Status::warn) + count(Status::fail) ? kUnseen : kSound;
}

int run(const Options& options) {
  const auto checks = catalog::load_checks(data_folder() / "checks");
  if (!checks) return report_error(checks.error());
  auto seen = see(options.evaluate);
  if (!seen) return report_error(seen.error());
  const std::string folder = seen->store.folder().string();
  if (seen->stopped) {
    say(fmt::format("assay: stopped. What was seen so far is safe; go on with: assay evaluate --resume {}", folder));
    return kUnseen;
  }
  const auto verdicts = judge_run(seen->store, *checks);
  if (!verdicts) return report_error(verdicts.error());
  for (const Verdict& v : *verdicts)
    fmt::print("{:<15} {:<45} {:<40} {}\n", name_of(v.status), v.check, v.subject.path(), text::printable(v.why));
  say("evidence: " + folder);
  return exit_code(*verdicts, options.fail_on);
}

std::function<int()> setup(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_target_options(app, options->evaluate.target);
  app.add_option("--resume", options->evaluate.resume,
                 "go on with this run's folder: finished steps aren't done again");
  app.add_option("-o,--out", options->evaluate.out, "the new run's folder (default: assay-runs/CLUSTER/TIME)");
  app.add_option("--host-limit", options->host_limit, "seconds for one host")->check(CLI::Range(1, 86400));
  app.add_option("--fail-on", options->fail_on, "exit 1 on: warn (and fail), fail, never")
      ->check(CLI::IsMember({"warn", "fail", "never"}));
  app.add_flag("--json", options->json, "report.json on stdout");
  return [options] {
    options->evaluate.host_limit = std::chrono::seconds(options->host_limit);
    return run(*options);
  };
}

}  // namespace

extern const Command evaluate = {"evaluate", "looks at everything that applies, and makes a rated report", setup};

}  // namespace assay::app::commands
