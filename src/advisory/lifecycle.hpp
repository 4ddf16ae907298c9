// Whether the makers still mend a version's line.
#pragma once

#include <string>

#include "advisory/decide.hpp"

namespace assay::advisory {

Result<Lifecycle> lifecycle_of(const Knowledge& knowledge, const Component& component, const std::string& version,
                               const std::string& today);
// The same for a line of any product: a distribution's release.
Lifecycle lifecycle_of(const std::vector<Cycle>& cycles, std::string_view line, const std::string& today);

}  // namespace assay::advisory
