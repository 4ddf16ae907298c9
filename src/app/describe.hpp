// The catalogue in words: pieces that `assay explain` and the generated pages of docs/ share.
#pragma once

#include <string>

#include "catalog/coverage.hpp"

namespace assay::app {

// "for each host: sysctl.x must be 0 (applies where gpu.count is at least 1; …)", or the file that holds its logic.
std::string logic_words(const catalog::Check& check);

// "audit, drill"
std::string ways_words(const catalog::Item& item);

// How the item is known today: "checked by …", "asked", "later: drill".
std::string served_words(const catalog::Served& served);

}  // namespace assay::app
