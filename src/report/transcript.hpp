// Raw output as a report carries it: not whole (it may be megabytes), but the sections that verdicts rest on, within
// bounds; the whole lies in the run folder under its SHA-256. Verdicts that fell short come first, one of each check
// before a second of any, so that every finding has its raw output at hand however many nodes share it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/store.hpp"

namespace assay::report {

struct Transcript {
  std::size_t size = 0;  // of the whole
  std::string excerpt;   // UTF-8
  bool cut = false;      // the excerpt isn't the whole
  std::string lost;      // why it can't be shown, though the run recorded it; then the rest is empty
};

inline constexpr std::size_t kLongestExcerpt = 16u << 10;
inline constexpr std::size_t kMostExcerpts = 768u << 10;  // all of them together

// The sections ("== heading" and what follows it) that hold one of `wanted` in their heading, or the beginning if none
// does, as one text of about `limit` bytes with a line for what was left out between them.
std::string excerpt_of(std::string_view raw, const std::vector<std::string>& wanted, std::size_t limit);

std::map<std::string, Transcript> choose_transcripts(const Store& store, const std::vector<Verdict>& verdicts,
                                                     const std::map<std::int64_t, Observation>& observations);

}  // namespace assay::report
