#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "app/presentation.hpp"
#include "app/say.hpp"
#include "base/text.hpp"
#include "evidence/store.hpp"
#include "rating/json.hpp"

namespace assay::app::commands {

namespace {

using rating::Rating;

struct Options {
  std::string run;
  RatingFiles files;
  bool json = false;
  bool all = false;
};

std::string span(rating::Interval score) {
  return fmt::format("{:3.0f} to {:3.0f}", 100 * score.low, 100 * score.high);
}

void print_criteria(const Rating& rating) {
  for (const rating::CriterionScore& criterion : rating.criteria)
    fmt::print("  {:<14} {}   weight {:>2}, {:.0f} % seen\n", criterion.title,
               criterion.applies ? span(criterion.score) : "left out  ", criterion.weight, 100 * criterion.seen);
}

void print_gates(const Rating& rating) {
  for (const rating::Gate& gate : rating.gates) fmt::print("  {:<22} {}\n", gate.id, name_of(gate.status));
}

void print_closes(const Rating& rating, bool all) {
  constexpr std::size_t kFew = 12;
  const std::size_t shown = all ? rating.closes.size() : std::min(kFew, rating.closes.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const rating::Closing& closing = rating.closes[i];
    fmt::print("  {:4.1f} {} {}\n       {}\n", 100 * closing.width, closing.gate ? "gate" : "    ", closing.item,
               text::printable(closing.words));
  }
  if (shown < rating.closes.size()) fmt::print("  and {} more (--all shows them)\n", rating.closes.size() - shown);
}

void print(const Rating& rating, bool all) {
  fmt::print("{}\n\nscore {} of 100, {:.0f} % of the evidence seen, rubric {}\n", rating.summary, span(rating.score),
             100 * rating.seen, rating.rubric);
  print_criteria(rating);
  fmt::print("\ngates\n");
  print_gates(rating);
  if (rating.closes.empty()) return;
  fmt::print("\nwhat would narrow it, in points of 100\n");
  print_closes(rating, all);
}

int exit_code(const Rating& rating, const catalog::Rubric& rubric) {
  if (rating.tier.empty()) return kUnseen;
  return rating.tier == rubric.tiers.back().name || rating.tier == rubric.unavailable.name ? kFellShort : kSound;
}

int run(const Options& options) {
  const auto catalogue = load_catalogue(options.files);
  if (!catalogue) return report_error(catalogue.error());
  const auto store = Store::open_for_reading(options.run);
  if (!store) return report_error(store.error());
  const auto judged = judge_run(*store, *catalogue);
  if (!judged) return report_error(judged.error());
  const Rating& rating = judged->rating;
  if (options.json)
    fmt::print("{}\n", nlohmann::ordered_json{{"schema", "assay.rating/1"}, {"rating", rating::to_json(rating)}}.dump(
                           1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  else
    print(rating, options.all);
  return exit_code(rating, catalogue->rubric);
}

std::function<int()> setup(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("run", options->run, "a run's folder")->required();
  add_rating_options(app, options->files);
  app.add_flag("--all", options->all, "everything that would narrow the score");
  app.add_flag("--json", options->json, "as JSON (docs/schemas/rating.schema.json)");
  return [options] { return run(*options); };
}

}  // namespace

extern const Command rate = {"rate", "rates a run's evidence under a rubric, without touching a machine", setup};

}  // namespace assay::app::commands
