// Whether one installed version of a component can be attacked by what is known, and the smallest step to a version
// that can't. Who is believed, in this order:
//   1. the distribution, about its own source package and release;
//   2. the package's changelog that names the CVE: mended by a backport;
//   3. the makers' ranges, but only for builds that no distribution made; for one that a distribution made they can
//   only
//      acquit (it holds at least that upstream version), as it may carry mends that its number doesn't show;
//   4. otherwise it is unknown.
// Of makers' ranges our own floor is believed before the vendor's bulletins, and these before collections; what can't
// be decided by one is left to the others, and never hides what another has proven.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "advisory/knowledge.hpp"
#include "advisory/standing.hpp"
#include "evidence/verdict.hpp"

namespace assay::advisory {

struct Question {
  std::string component;  // id
  std::string version;    // as it is installed, with the distribution's revision
  std::string distro;     // ID:VERSION_ID of the distribution that made it; empty: none did
  std::string package;    // the source package (Debian, Ubuntu) or package (rpm); empty: any of the component's
  Conditions conditions;
  std::set<std::string> changelog;  // CVE ids that the package's changelog names
  std::string today;                // ISO date
  int stale_after = 180;            // days: knowledge that is older can't acquit any more
};

enum class Basis { distribution, changelog, upstream, none };

// About one weakness, usually one CVE.
struct Finding {
  std::string id;                    // CVE where there is one
  std::vector<std::string> aliases;  // its other ids, and those of the records that speak of it
  std::shared_ptr<const Advisory> advisory;
  Stand stand;
  Basis basis = Basis::none;
  bool exploited = false;  // known to be attacked
  bool young = false;      // its mend is younger than three days
  bool no_mend = false;    // affected, and nobody has a mended version yet
};

struct Lifecycle {
  Status status = Status::unknown;  // fail: over; warn: over within 90 days; not_applicable: not told for it
  std::string line;
  std::string end;
  std::string latest;  // newest version of the line
};

struct Answer {
  Status status = Status::unknown;
  std::string reason;             // one sentence
  std::vector<Finding> findings;  // affected first, then by severity
  std::string smallest;  // the least version in the same line that none of these affects; of the next line, if none
  std::string newest;    // the newest such version that is known
  Lifecycle lifecycle;
};

// An error only where what is known can't be read. An unknown component is an error too.
Result<Answer> decide(const Knowledge& knowledge, const Question& question);

std::string_view name_of(Basis basis);
// The order of a distribution's versions; nothing for one that isn't known to use dpkg or rpm.
std::optional<version::Scheme> scheme_of_distro(std::string_view distro);
// As records name it: almalinux:9 of AlmaLinux:9.6, which /etc/os-release has; ubuntu:24.04 stays.
std::string release_of(std::string_view distro);
// The makers' part of a distribution's version: 1.1.5 of 4:1.1.5+ds1-1+deb12u1.
std::string upstream_part(version::Scheme scheme, std::string_view version);
// Days from one ISO date to another; nothing if either is none.
std::optional<int> days_between(std::string_view from, std::string_view to);

}  // namespace assay::advisory
