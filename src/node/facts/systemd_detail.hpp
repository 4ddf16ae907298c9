// What `systemctl show` prints for several units: Key=value lines, units parted by empty lines, in the order asked for.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "node/host.hpp"

namespace assay::node::facts {

using Properties = std::map<std::string, std::string>;
using Units = std::map<std::string, Properties>;  // by the name asked for; a unit's own Id may be another (an alias)

// Another number of units than asked for, or a line of another form, makes the whole answer unreadable.
Seen<Units> parse_show(std::string_view output, const std::vector<std::string>& asked);

}  // namespace assay::node::facts
