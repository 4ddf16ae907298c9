#include "catalog/provider.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/catalogue.hpp"
#include "app/command.hpp"
#include "app/say.hpp"

namespace assay::app::commands {

namespace {

struct Options {
  RatingFiles files;
  bool json = false;
  CLI::App* fresh = nullptr;
};

int print_template(const catalog::Rubric& rubric, bool json) {
  const std::string page = catalog::provider_template(rubric);
  fmt::print("{}", json ? nlohmann::ordered_json{{"schema", "assay.provider-template/1"}, {"yaml", page}}.dump() + "\n"
                        : page);
  return kSound;
}

int check(const catalog::Answers& answers, const catalog::Rubric& rubric, bool json) {
  std::vector<std::string> open;
  std::vector<std::string> claimed;
  std::size_t asked = 0;
  for (const catalog::Criterion& criterion : rubric.criteria)
    for (const catalog::Item& item : criterion.items) {
      if (!item.answerable()) continue;
      ++asked;
      const auto found = answers.by_item.find(item.id);
      if (found == answers.by_item.end())
        open.push_back(item.id);
      else if (!found->second.document && found->second.word != catalog::Answer::Word::no)
        claimed.push_back(item.id);
    }
  if (json) {
    fmt::print("{}\n", nlohmann::ordered_json{{"schema", "assay.provider/1"},
                                              {"provider", answers.provider},
                                              {"asked", asked},
                                              {"answered", answers.by_item.size()},
                                              {"without_document", claimed},
                                              {"open", open}}
                           .dump(1));
    return kSound;
  }
  fmt::print("{}: {} of {} questions answered, {} without a document\n", answers.provider, answers.by_item.size(),
             asked, claimed.size());
  for (const std::string& id : claimed) fmt::print("without a document  {}\n", id);
  for (const std::string& id : open) fmt::print("open                {}\n", id);
  return kSound;
}

int run(const Options& options) {
  const auto catalogue = load_catalogue(options.files);
  if (!catalogue) return report_error(catalogue.error());
  return options.fresh->parsed() ? print_template(catalogue->rubric, options.json)
                                 : check(catalogue->answers, catalogue->rubric, options.json);
}

std::function<int()> setup(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.require_subcommand(1);
  options->fresh = app.add_subcommand("new", "prints a provider file with every question and no answer");
  CLI::App* check = app.add_subcommand("check", "reads a provider file, and says what is answered, claimed and open");
  check->add_option("file", options->files.provider, "provider.yaml")->required();
  for (CLI::App* each : {options->fresh, check}) {
    each->add_option("--rubric", options->files.rubric, "another rubric than the shipped one");
    each->add_flag("--json", options->json, "as one JSON object");
  }
  return [options] { return run(*options); };
}

}  // namespace

extern const Command provider = {"provider", "the questions that only a provider or an evaluator can answer", setup};

}  // namespace assay::app::commands
