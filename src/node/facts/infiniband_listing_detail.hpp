// Where a folder tree has no /sys/class/infiniband, a sosreport still holds what ibstat, ibstatus and show_gids
// printed.
#pragma once

#include "node/reader.hpp"

namespace assay::node::infiniband {

// `why` is said where the tree has none of the three either.
void say_listing(Host& host, const Absent& why, Findings& findings);

}  // namespace assay::node::infiniband
