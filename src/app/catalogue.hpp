// What we know, loaded and laid side by side before anything else is done: the rubric, the checks, which item each
// check serves, and what the provider answered; and the rating of verdicts by it.
#pragma once

#include <string>
#include <vector>

#include "catalog/coverage.hpp"
#include "evidence/verdict.hpp"
#include "rating/rating.hpp"

namespace CLI {
class App;
}

namespace assay::app {

// What a rating stands on besides evidence. Empty: the shipped rubric, no answers.
struct RatingFiles {
  std::string rubric;
  std::string provider;
};

struct Catalogue {
  Catalogue() = default;
  Catalogue(Catalogue&&) = default;
  Catalogue& operator=(Catalogue&&) = default;
  Catalogue(const Catalogue&) = delete;  // `served` points into the other two

  catalog::Rubric rubric;
  std::vector<catalog::Check> checks;
  std::vector<catalog::Served> served;
  catalog::Answers answers;
};

Result<Catalogue> load_catalogue(const RatingFiles& files = {});

rating::Rating rate(const Catalogue& catalogue, const std::vector<Verdict>& verdicts);

// --rubric and --provider.
void add_rating_options(CLI::App& app, RatingFiles& files);

}  // namespace assay::app
