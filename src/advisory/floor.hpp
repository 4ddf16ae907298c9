// The floor: what Assay itself brings, so that an audit is complete offline on the first start. One file a component,
// data/advisories/ID.yaml, in our own words, each entry with its source; and data/advisories/lines.yaml, the release
// lines. It reads into the same model as any feed.
//
//   about: what these are          # one line
//   date: 2026-08-22               # when the file was last compared with its sources
//   advisories:
//     - cves: [CVE-2025-31133, CVE-2025-52565]
//       title: a container can escape through its mounts   # our words
//       severity: high
//       vector: CVSS:3.1/…         # optional
//       exploited: 2024-05-30      # optional: since when it is known to be attacked
//       published: 2025-11-05
//       available: 2025-11-05      # optional: since when mended versions can be had
//       source: https://…
//       fixed: [1.2.8, 1.3.3]      # first mended version of each line, upstream; or
//       ranges: [{introduced: 1.3.0, fixed: 1.3.6}, {last: 2.0}]   # intervals; or `fixed: none`: all are affected
//       introduced: 8.5            # optional, with `fixed`
//       conditions: [cdi=on]       # optional
//       distributions:             # optional: what distributions say of their own packages
//         almalinux:9: {package: runc, fixed: "4:1.2.5-3.el9_6"}
//         ubuntu:24.04:                                            # several packages: a list
//           - {package: runc, says: affected}                      # no mended version; or not_affected, undecided
//           - {package: runc-app, fixed: 1.3.3-0ubuntu1~24.04.2}
// In lines.yaml: lines: [{product: kubernetes, line: "1.34", released: …, end: …, ended: yes, extended_end: …,
// latest: …, latest_date: …, source: https://…}], all but the first two and the source optional.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "advisory/advisory.hpp"
#include "base/error.hpp"

namespace assay::advisory {

struct Floor {
  std::vector<Advisory> advisories;  // id is the first CVE; source is "assay"
  std::vector<Exploited> exploited;
  std::vector<Cycle> cycles;
  std::vector<std::string> components;  // that there is a file of, with or without advisories: looked at
  std::string date;                     // of the oldest file: how old the whole is
};

Result<Floor> load_floor(const std::filesystem::path& folder);
Result<Floor> parse_floor(const std::string& component, const std::string& yaml, const std::string& where);

}  // namespace assay::advisory
