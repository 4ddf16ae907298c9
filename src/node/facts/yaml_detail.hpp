// The part of YAML that a kubelet's config is written in: maps inside maps by indentation, with plain or quoted values.
// Lists and folded texts are stepped over; anchors, tags, tabs and flow maps with content are refused, so that a
// setting is never misread.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "node/host.hpp"

namespace assay::node::facts {

// "authentication.anonymous.enabled" → "false".
Seen<std::map<std::string, std::string>> parse_yaml_settings(std::string_view text);

}  // namespace assay::node::facts
