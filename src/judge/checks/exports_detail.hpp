// Which mounts on several nodes are one and the same export. The source's name tells it, and where names differ (one
// export may be reached by several addresses, or by a name and an address) the top folder's inode and change time do.
#pragma once

#include <string>
#include <vector>

#include "judge/check.hpp"

namespace assay::judge {

struct Export {
  Reading<std::string> type, source, identity;

  std::string words() const;  // "nfs4 10.0.0.5:/home"
};

// The largest group first; each holds indexes of `exports`. A server that doesn't answer tells no identity, so a group
// takes in whoever is the same as any of its members.
std::vector<std::vector<std::size_t>> group_exports(const std::vector<Export>& exports);

}  // namespace assay::judge
