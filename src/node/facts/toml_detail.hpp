// The part of TOML that nvidia-container-runtime's config.toml is written in: tables, and keys with booleans, numbers,
// strings and lists on lines of their own. What goes beyond is refused with its line, so that a setting is never
// misread.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "node/host.hpp"

namespace assay::node::facts {

// "features.allow-ldconfig-from-container" → "true"; strings without their quotes, lists as they stand.
using Settings = std::map<std::string, std::string>;
Seen<Settings> parse_toml(std::string_view text);

}  // namespace assay::node::facts
