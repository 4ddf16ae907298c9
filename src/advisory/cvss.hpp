// The base score of a CVSS 3.x vector, by the formula of FIRST's specification (3.1, section 7.1, and appendix A for
// rounding up). Versions 2 and 4 aren't computed: the one isn't published for new records any more, and the other is a
// table of 270 classes; a source's own word is taken there.
#pragma once

#include <optional>
#include <string_view>

namespace assay::advisory {

// Nothing for another version, a missing base metric, one given twice, or an unknown value. Temporal and environmental
// metrics may follow and count for nothing.
std::optional<double> cvss_base_score(std::string_view vector);

}  // namespace assay::advisory
