// What the two package managers say is installed, as views into their own texts. A list that was cut off, or a line
// that isn't one, is refused whole: half a list would look like a machine without the missing half.
#pragma once

#include <string_view>
#include <vector>

#include "evidence/package.hpp"
#include "node/host.hpp"

namespace assay::node::facts {

// /var/lib/dpkg/status. Packages of which only settings are left (config-files) aren't installed and are left out.
Seen<std::vector<Package>> parse_dpkg_status(std::string_view text);

// Lines of kRpmFormat. Signing keys, which rpm keeps as packages named gpg-pubkey, are left out.
inline constexpr std::string_view kRpmFormat =
    "%{NAME}\\t%|EPOCH?{%{EPOCH}:}|%{VERSION}-%{RELEASE}\\t%{ARCH}\\t%{SOURCERPM}\\n";
Seen<std::vector<Package>> parse_rpm_list(std::string_view text);

}  // namespace assay::node::facts
