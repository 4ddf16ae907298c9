// Where to go from a version: among those that records name as mended.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "advisory/gather.hpp"

namespace assay::advisory {

struct Step {
  std::string smallest;  // empty: no named version is free of all
  std::string newest;
};

// A candidate counts only if none of the claims' records affects it: a version can mend one weakness and have another.
Step step_from(const std::vector<Claim>& claims, version::Scheme scheme, std::string_view version);

}  // namespace assay::advisory
