// What all records say of one question, folded to one finding a weakness.
#pragma once

#include <vector>

#include "advisory/decide.hpp"

namespace assay::advisory {

// What one record says.
struct Claim {
  Record record;
  version::Scheme scheme = version::Scheme::plain;
  std::string version;  // what was compared: the makers' part where the record is theirs
  Stand stand;
  int rank = 0;  // who is believed first: higher
};

// Of the makers (floor, bulletins, collections), for a version that they made.
Result<std::vector<Claim>> makers_claims(const Knowledge& knowledge, const Component& component,
                                         const Question& question, const std::string& version);
// Of the distribution, about the packages that the component is there.
Result<std::vector<Claim>> distribution_claims(const Knowledge& knowledge, const Component& component,
                                               const Question& question, version::Scheme scheme);

// What other releases of the distribution's family have: unknown here, where nobody speaks of this one.
std::vector<Claim> sisters_claims(const Knowledge& knowledge, const Component& component, const Question& question,
                                  version::Scheme scheme);

// One finding a weakness, by the order told in decide.hpp. `distribution` empty and no distro asked for: makers alone.
std::vector<Finding> fold(const std::vector<Claim>& makers, const std::vector<Claim>& distribution,
                          const Question& question);

// Whether `version`, of the same component, has none of the weaknesses that anybody has mended, by whoever is believed
// of each. Settings may change: what hangs on one that isn't known counts as had.
bool is_free(const std::vector<Claim>& claims, const std::string& version);

}  // namespace assay::advisory
