// Whether one version of one product is affected, going only by what one record says. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "advisory/advisory.hpp"
#include "version/order.hpp"

namespace assay::advisory {

enum class Standing {
  affected,
  fixed,         // it was affected once, and this version holds the mend
  not_affected,  // older than the fault, or a condition that is seen not to hold
  unknown,       // the version, the record or a condition can't be read
};

// Settings of a node that conditions ask for: "cdi" → "on". What isn't in it couldn't be seen.
using Conditions = std::map<std::string, std::string, std::less<>>;

struct Stand {
  Standing standing = Standing::unknown;
  std::string fixed;   // affected, fixed: the mended version that `version` is to be compared with, in its own line
                       // where there is one; empty: none told
  std::string reason;  // one clause: "older than 1.2.8", "the line 1.1 has no mended version; 1.2.8 has"
  bool conditional = false;  // unknown only because a condition wasn't seen: the version is affected if it holds
};

Stand stand(const Affected& affected, version::Scheme scheme, std::string_view version, const Conditions& conditions);

std::string_view name_of(Standing standing);

}  // namespace assay::advisory
