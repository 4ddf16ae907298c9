// The facts that a run keeps about itself, by their keys in its store: whoever writes one and whoever reads it mean the
// same.
#pragma once

namespace assay::fact {

inline constexpr const char* kVersion = "assay.version";  // of assay, that began it
inline constexpr const char* kCluster = "cluster";        // its subject's path
inline constexpr const char* kTarget = "target";          // in words: --ssh n[1-500]
inline constexpr const char* kStarted = "started";        // UTC: 2026-12-01T03:00:00Z
inline constexpr const char* kEnded = "ended";            // not there: stopped before its end
inline constexpr const char* kLooked = "looked.seconds";  // its pauses left out
// Files of their own, which no report shows.
inline constexpr const char* kTargetFile = "target.json";  // what makes its launcher again
inline constexpr const char* kPlanFile = "plan.json";      // which hosts it set out to see

}  // namespace assay::fact
