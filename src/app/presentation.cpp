#include "app/presentation.hpp"

#include <unistd.h>

#include <cstdio>

#include "app/command.hpp"
#include "app/evaluation.hpp"
#include "judge/judge.hpp"
#include "report/findings.hpp"
#include "report/json.hpp"
#include "report/terminal.hpp"
#include "report/write.hpp"

namespace assay::app {

Result<Judged> judge_run(const Store& store, const Catalogue& catalogue) {
  auto snapshot = recorded(store);
  if (!snapshot) return failure(snapshot.error());
  auto verdicts = judge::judge(catalogue.checks, *snapshot);
  if (!verdicts) return failure(verdicts.error());
  auto rating = rate(catalogue, *verdicts);
  return Judged{std::move(*snapshot), std::move(*verdicts), std::move(rating)};
}

Result<report::Report> report_on(const Store& store, const Catalogue& catalogue) {
  auto judged = judge_run(store, catalogue);
  if (!judged) return failure(judged.error());
  return report::gather(store, judged->snapshot, catalogue.checks, std::move(judged->verdicts),
                        std::move(judged->rating));
}

Result<void> show(const report::Report& report, const std::string& folder, bool json) {
  if (auto written = report::write_reports(report, folder); !written) return written;
  const std::string shown =
      json ? report::to_json_text(report)
           : report::render_terminal(report, report::style_for(STDOUT_FILENO), folder + "/report.html");
  if (std::fwrite(shown.data(), 1, shown.size(), stdout) != shown.size() || std::fflush(stdout) != 0)
    return failure({Error::Kind::environment, "to write the report", errno_words(errno), "stdout", ""});
  return {};
}

int exit_code(const report::Report& report, const std::string& fail_on) {
  const auto counts = report::count(report);
  const auto of = [&](Status status) { return report::of(counts, status); };
  if (fail_on != "never" && of(Status::fail) > 0) return kFellShort;
  if (fail_on == "warn" && of(Status::warn) > 0) return kFellShort;
  const bool all_answered = report.run.answered.size() == report.run.hosts.size();
  const std::size_t known = of(Status::pass) + of(Status::warn) + of(Status::fail);
  return all_answered && of(Status::unknown) <= known ? kSound : kUnseen;
}

}  // namespace assay::app
