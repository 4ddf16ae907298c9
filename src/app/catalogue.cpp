#include "app/catalogue.hpp"

#include <CLI/CLI.hpp>

#include "app/not_empty.hpp"
#include "app/paths.hpp"

namespace assay::app {

Result<Catalogue> load_catalogue(const RatingFiles& files) {
  Catalogue catalogue;
  const std::filesystem::path shipped = data_folder() / "rubrics" / "managed-cluster.yaml";
  auto rubric = catalog::load_rubric(files.rubric.empty() ? shipped : std::filesystem::path(files.rubric));
  if (!rubric) return failure(rubric.error());
  auto checks = catalog::load_checks(data_folder() / "checks");
  if (!checks) return failure(checks.error());
  catalogue.rubric = std::move(*rubric);
  catalogue.checks = std::move(*checks);
  auto served = catalog::coverage(catalogue.rubric, catalogue.checks);
  if (!served) return failure(served.error());
  catalogue.served = std::move(*served);
  if (files.provider.empty()) return catalogue;
  auto answers = catalog::load_answers(files.provider, catalogue.rubric);
  if (!answers) return failure(answers.error());
  catalogue.answers = std::move(*answers);
  return catalogue;
}

rating::Rating rate(const Catalogue& catalogue, const std::vector<Verdict>& verdicts) {
  return rating::rate(catalogue.rubric, catalogue.checks, verdicts, catalogue.answers);
}

void add_rating_options(CLI::App& app, RatingFiles& files) {
  app.add_option("--rubric", files.rubric, "another rubric than the shipped one")->check(not_empty);
  app.add_option("--provider", files.provider, "what the provider answered (see assay provider new)")->check(not_empty);
}

}  // namespace assay::app
