// What the two package managers say is installed, as views into their own texts. A list that was cut off, or a line
// that isn't one, is refused whole: half a list would look like a machine without the missing half.
#pragma once

#include <string_view>
#include <vector>

#include "node/host.hpp"

namespace assay::node::facts {

struct Package {
  std::string_view name;
  std::string_view version;  // dpkg's version; [epoch:]version-release for rpm
  std::string_view architecture;
  std::string_view source;  // the source package's name: what distributions' advisories speak of
  std::string_view source_version;
  std::string_view state;  // dpkg: installed, half-configured, unpacked, …; rpm: installed
};

// /var/lib/dpkg/status. Packages of which only settings are left (config-files) aren't installed and are left out.
Seen<std::vector<Package>> parse_dpkg_status(std::string_view text);

// Lines of kRpmFormat. Signing keys, which rpm keeps as packages named gpg-pubkey, are left out.
inline constexpr std::string_view kRpmFormat =
    "%{NAME}\\t%|EPOCH?{%{EPOCH}:}|%{VERSION}-%{RELEASE}\\t%{ARCH}\\t%{SOURCERPM}\\n";
Seen<std::vector<Package>> parse_rpm_list(std::string_view text);

// The ids of these packages' subjects, in their order: the name, with ":arch" where it isn't the machine's own, and
// with "=version" where a name is installed in several versions (kernels under rpm).
std::vector<std::string> package_ids(std::string_view manager, const std::vector<Package>& packages);

}  // namespace assay::node::facts
