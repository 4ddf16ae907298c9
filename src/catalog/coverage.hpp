// Which item is served by what: by checks, by a question to the provider, or by a later phase. The one place where the
// rubric and the checks are laid side by side.
#pragma once

#include <string>
#include <vector>

#include "catalog/rubric.hpp"

namespace assay::catalog {

struct Served {
  const Criterion* criterion = nullptr;
  const Item* item = nullptr;
  std::vector<const Check*> checks;
  std::vector<Way> later;  // machine ways that no check serves yet
};

// Every item, in the rubric's order. A check that serves no item of the rubric, or serves one by a way that the rubric
// doesn't name for it, is an error.
Result<std::vector<Served>> coverage(const Rubric& rubric, const std::vector<Check>& checks);

}  // namespace assay::catalog
