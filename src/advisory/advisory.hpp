// What is known about weaknesses, in one small model that every feed is read into: a vendor's bulletin, a
// distribution's record, a line of our own floor. Also who is attacked already, and until when a line is supported.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::advisory {

enum class Severity { unknown, none, low, medium, high, critical };

// Versions from `introduced` (empty: the first there was) up to, and without, `fixed` (empty: no end); or up to and
// with `last`, where the source names no version that mends it. Never both.
struct Range {
  std::string introduced;
  std::string fixed;
  std::string last;
  bool operator==(const Range&) const = default;
};

// One product that an advisory speaks of, and which of its versions.
struct Affected {
  enum class Says {
    affected,      // what `ranges`, `fixed` and `versions` tell
    not_affected,  // no version is (VEX, Debian's not-affected)
    undecided,     // the source doesn't know yet
  };

  // Whose versions: "upstream", "go", "pypi", "nvidia", or a distribution's release as ID:VERSION_ID of its
  // /etc/os-release: "debian:12", "ubuntu:24.04", "almalinux:9".
  std::string ecosystem;
  // upstream: a component's id (data/components). Debian, Ubuntu: the source package. rpm distributions: the binary
  // package, or the source package where the feed names that. go: the module. pypi: the normalized name. nvidia: the
  // product as the bulletin spells it, in lower case.
  std::string package;
  std::string platform;  // nvidia: "linux(r535)", in lower case, as the bulletin spells it; else empty
  Says says = Says::affected;

  std::vector<Range> ranges;
  // First mended version of each release line, where the source tells lines instead of ranges: {1.2.8, 1.3.3}. A
  // version is mended if it isn't older than its own line's, or if its line is newer than all of these. A line that is
  // older than the newest of these and isn't listed has no mended version (facts: trap 3).
  std::vector<std::string> fixed;
  std::vector<std::string> spared;    // with `fixed`: lines that the source looked at and says nothing bad of
  std::string introduced;             // with `fixed`: no older version is affected; empty: all are
  std::vector<std::string> versions;  // affected besides, one by one

  // What else must hold for a version to be affected: "KEY=VALUE" or "KEY!=VALUE", all of them ("cdi=on",
  // "container-runtime!=crun"). docs/advisories.md lists the keys. What can't be seen leaves the answer open.
  std::vector<std::string> conditions;
  std::string note;  // of the source, where its text said more than could be put above
  bool operator==(const Affected&) const = default;
};

struct Advisory {
  std::string id;                    // the source's own: GO-2025-4108, ALSA-2023:6938, nvidia-5821/CVE-2026-24187
  std::vector<std::string> aliases;  // CVE and GHSA ids that it is about, sorted
  std::string title;                 // one line
  Severity severity = Severity::unknown;
  std::string vector;      // CVSS, as published: "CVSS:3.1/AV:L/…"; may be empty
  std::string source;      // who says so: "nvidia", "go-vulndb", "almalinux", "assay"
  std::string url;         // where to read it
  std::string published;   // ISO date, "2025-11-05"; empty: not told
  std::string modified;    // ISO date
  std::string withdrawn;   // ISO date; not empty: it no longer holds
  std::string fixed_date;  // ISO date since when mended versions can be had, where the source tells; else empty
  std::vector<Affected> affected;
  bool operator==(const Advisory&) const = default;
};

// A weakness that is known to be attacked (CISA KEV, or a field of another feed).
struct Exploited {
  std::string cve;
  std::string since;  // ISO date it was listed
  std::string source;
  bool operator==(const Exploited&) const = default;
};

// A release line and the end of its support.
struct Cycle {
  std::string product;  // as the source names it: "kubernetes", "nvidia-driver"
  std::string line;     // "1.34", "535"
  std::string released;
  std::string end;           // ISO date security support ends; empty: not set
  bool ended = false;        // the source says that it is over, with or without a date
  std::string extended_end;  // paid or long-term support; empty: none told
  std::string latest;        // newest version of the line
  std::string latest_date;
  std::string source;
  bool operator==(const Cycle&) const = default;
};

// "high" and back; of a CVSS base score: 0 none, < 4 low, < 7 medium, < 9 high (FIRST's scale). Another word: unknown.
std::string_view name_of(Severity severity);
Severity severity_from(std::string_view word);
Severity severity_of_score(double base_score);

}  // namespace assay::advisory
