// Whose packages an OSV record speaks of, in our words (advisory.hpp), by the list of ecosystems in OSV's schema.
#pragma once

#include <string>
#include <string_view>

#include "version/order.hpp"

namespace assay::advisory::formats {

struct Ecosystem {
  enum class Kind {
    ours,       // it has a name and a scheme
    elsewhere,  // a system that Assay doesn't look at: npm, Alpine, a paid branch of a RHEL minor release
    unknown,    // none that the schema lists, or a distribution without its release
  };
  Kind kind = Kind::unknown;
  std::string name;  // "almalinux:9", "ubuntu-pro:22.04", "go"
  version::Scheme scheme = version::Scheme::plain;
};

// "AlmaLinux:9", "Rocky Linux:9", "Debian:12", "Ubuntu:24.04:LTS", "Ubuntu:Pro:22.04:LTS" (its versions are for those
// who subscribed: kept apart), "Red Hat:enterprise_linux:9::appstream", "Go", "PyPI", "Linux".
Ecosystem ecosystem_of(std::string_view osv);

// The name as our ecosystem spells it: PyPI's by PEP 503, the kernel's by our component; others as they are. Empty if
// it is none: too long, or with blanks or control characters.
std::string package_of(const Ecosystem& ecosystem, std::string_view name);

}  // namespace assay::advisory::formats
