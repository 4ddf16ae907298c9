// The page's data: what report.json says, with every repeated text kept once, so that a report of thousands of nodes
// stays a page that a browser opens.
//
//   {"run", "rating", "checks", "absent", "artifacts": as in report.json,
//    "hosts":        [subject, …]                                                        the rows of the map
//    "strings":      [text, …]
//    "verdicts":     [[check, subject, status, measured, expected, why, fix, [observation id, …]], …]
//    "observations": [[id, subject, name, seen, unit, time, source, artifact], …]}
//
// Texts are indexes into strings; check is an index into checks; status counts fail, warn, unknown, pass,
// not_applicable; seen is {"value"} or {"absent","detail"}.
#pragma once

#include <string>

#include "report/model.hpp"

namespace assay::report {

// Observations that only passing verdicts rest on are left out beyond this many.
inline constexpr std::size_t kMostPackedObservations = 50'000;

// All of it ASCII, everything else escaped: no text of a node reorders the page's source.
std::string to_packed_json(const Report& report);

}  // namespace assay::report
