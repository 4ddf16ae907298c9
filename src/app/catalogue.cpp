#include "app/catalogue.hpp"

#include <CLI/CLI.hpp>

#include "app/paths.hpp"

namespace assay::app {

Result<Catalogue> load_catalogue(const std::string& rubric_file) {
  Catalogue catalogue;
  const std::filesystem::path shipped = data_folder() / "rubrics" / "managed-cluster.yaml";
  auto rubric = catalog::load_rubric(rubric_file.empty() ? shipped : std::filesystem::path(rubric_file));
  if (!rubric) return failure(rubric.error());
  auto checks = catalog::load_checks(data_folder() / "checks");
  if (!checks) return failure(checks.error());
  catalogue.rubric = std::move(*rubric);
  catalogue.checks = std::move(*checks);
  auto served = catalog::coverage(catalogue.rubric, catalogue.checks);
  if (!served) return failure(served.error());
  catalogue.served = std::move(*served);
  return catalogue;
}

Result<catalog::Answers> load_answers(const RatingFiles& files, const catalog::Rubric& rubric) {
  if (files.provider.empty()) return catalog::Answers{};
  return catalog::load_answers(files.provider, rubric);
}

Result<rating::Rating> rate(const Catalogue& catalogue, const std::vector<Verdict>& verdicts,
                            const RatingFiles& files) {
  const auto answers = load_answers(files, catalogue.rubric);
  if (!answers) return failure(answers.error());
  return rating::rate(catalogue.rubric, catalogue.checks, verdicts, *answers);
}

void add_rating_options(CLI::App& app, RatingFiles& files) {
  app.add_option("--rubric", files.rubric, "another rubric than the shipped one");
  app.add_option("--provider", files.provider, "what the provider answered (see assay provider new)");
}

}  // namespace assay::app
