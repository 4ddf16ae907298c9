#include "catalog/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace assay::catalog {

namespace {

Result<void> match(const Rubric& rubric, const Check& check) {
  const Item* item = rubric.find(check.item);
  const auto refuse = [&](std::string expected, std::string came) {
    return failure({Error::Kind::usage, std::move(expected), std::move(came), "check " + check.id,
                    "correct the check's item or phase, or the rubric"});
  };
  if (item == nullptr) return refuse("an item of the rubric " + rubric.name(), check.item);
  const auto way = way_of_phase(check.phase);
  if (!way || std::find(item->how.begin(), item->how.end(), *way) == item->how.end())
    return refuse(fmt::format("a phase by which the rubric knows {}", item->id), check.phase);
  return {};
}

bool serves(const Check& check, Way way) { return way_of_phase(check.phase) == way; }

}  // namespace

Result<std::vector<Served>> coverage(const Rubric& rubric, const std::vector<Check>& checks) {
  for (const Check& check : checks)
    if (auto matched = match(rubric, check); !matched) return failure(matched.error());
  std::vector<Served> all;
  for (const Criterion& criterion : rubric.criteria)
    for (const Item& item : criterion.items) {
      Served served{&criterion, &item, {}, {}};
      for (const Check& check : checks)
        if (check.item == item.id) served.checks.push_back(&check);
      for (const Way way : item.how)
        if (!in_words(way) && std::none_of(served.checks.begin(), served.checks.end(),
                                           [&](const Check* check) { return serves(*check, way); }))
          served.later.push_back(way);
      all.push_back(std::move(served));
    }
  return all;
}

}  // namespace assay::catalog
