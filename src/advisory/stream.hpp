// An rpm distribution mends one weakness in several streams, each with a record of its own: the minor releases el9_6
// and el9_7, the modules of runc 1.1 and 1.2. Only the end of its own stream tells how a version stands:
// 4:1.2.5-3.el9_6 is mended, although 4:1.3.0-4.el9_7, the end of the next minor release, is newer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::advisory {

// The least of those `ends` that are of the version's stream: the first mend there. Empty if none is.
std::string end_of_own_stream(const std::vector<std::string>& ends, std::string_view version);

}  // namespace assay::advisory
