#include "report/transcript.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"

namespace assay::report {

namespace {

constexpr std::size_t kLeastCost = 256;  // of a transcript, however short: bounds how many are read

struct Section {
  std::string_view text;  // with its heading
  bool wanted = false;
};

std::vector<Section> sections_of(std::string_view raw) {
  std::vector<Section> sections;
  while (!raw.empty()) {
    const auto next = raw.find("\n== ", 1);
    const auto length = next == std::string_view::npos ? raw.size() : next + 1;
    sections.push_back({raw.substr(0, length)});
    raw.remove_prefix(length);
  }
  return sections;
}

std::string left_out(std::size_t bytes) { return fmt::format("[{} bytes left out]\n", bytes); }

}  // namespace

std::string excerpt_of(std::string_view raw, const std::vector<std::string>& wanted, std::size_t limit) {
  if (raw.size() <= limit) return text::to_utf8(raw, limit);
  auto sections = sections_of(raw);
  bool any = false;
  for (Section& section : sections) {
    const auto heading = section.text.substr(0, section.text.find('\n'));
    section.wanted = heading.starts_with("== ") && std::any_of(wanted.begin(), wanted.end(), [&](const auto& word) {
                       return !word.empty() && heading.find(word) != std::string_view::npos;
                     });
    any = any || section.wanted;
  }
  if (!any) return text::to_utf8(raw.substr(0, limit), limit) + left_out(raw.size() - limit);
  const auto count = static_cast<std::size_t>(
      std::count_if(sections.begin(), sections.end(), [](const Section& section) { return section.wanted; }));
  const std::size_t share = std::max<std::size_t>(limit / count, 512);
  std::string result;
  std::size_t skipped = 0;
  for (const Section& section : sections) {
    if (!section.wanted || result.size() >= limit) {
      skipped += section.text.size();
      continue;
    }
    if (skipped > 0) result += left_out(std::exchange(skipped, 0));
    result += text::to_utf8(section.text.substr(0, share), share);
    if (section.text.size() > share) {
      if (!result.ends_with('\n')) result += '\n';
      skipped = section.text.size() - share;
    }
  }
  if (skipped > 0) result += left_out(skipped);
  return result;
}

namespace {

// Which transcripts, in the order of their worth: by how bad the verdicts are that rest on them, then the first node of
// every check, the second node of every check, and so on.
std::vector<std::string> in_order(const std::vector<Verdict>& verdicts,
                                  const std::map<std::int64_t, Observation>& observations) {
  std::map<std::tuple<int, std::size_t, std::size_t>, std::string> ranked;
  std::map<std::pair<std::string, Status>, std::size_t> seen;
  for (const Verdict& verdict : verdicts) {
    const int rank = verdict.status == Status::fail      ? 0
                     : verdict.status == Status::warn    ? 1
                     : verdict.status == Status::unknown ? 2
                                                         : 3;
    const std::size_t turn = seen[{verdict.check, verdict.status}]++;
    for (const std::int64_t id : verdict.evidence)
      if (const auto found = observations.find(id); found != observations.end() && !found->second.artifact.empty())
        ranked.emplace(std::tuple(rank, turn, ranked.size()), found->second.artifact);
  }
  std::vector<std::string> order;
  std::set<std::string> known;
  for (const auto& [rank, sha] : ranked)
    if (known.insert(sha).second) order.push_back(sha);
  return order;
}

// "infiniband: /sys/class/infiniband/mlx5_0/ports/1/rate" was read from a section that names this file.
std::string place_of(const std::string& source) {
  const auto colon = source.find(": ");
  return colon == std::string::npos ? source : source.substr(colon + 2);
}

}  // namespace

std::map<std::string, Transcript> choose_transcripts(const Store& store, const std::vector<Verdict>& verdicts,
                                                     const std::map<std::int64_t, Observation>& observations) {
  std::map<std::string, std::set<std::string>> wanted;
  for (const auto& [id, observation] : observations)
    if (!observation.artifact.empty()) wanted[observation.artifact].insert(place_of(observation.source));
  std::map<std::string, Transcript> chosen;
  std::size_t left = kMostExcerpts;
  for (const std::string& sha : in_order(verdicts, observations)) {
    if (left < kLongestExcerpt / 4) break;
    const auto raw = store.artifact(sha);
    Transcript& transcript = chosen[sha];
    if (!raw) {  // the verdict stands without it
      transcript.lost = raw.error().came;
      continue;
    }
    const auto& places = wanted[sha];
    transcript.size = raw->size();
    transcript.excerpt = excerpt_of(*raw, {places.begin(), places.end()}, std::min(left, kLongestExcerpt));
    transcript.cut = raw->size() > transcript.excerpt.size();
    left -= std::min(left, std::max(transcript.excerpt.size(), kLeastCost));
  }
  return chosen;
}

}  // namespace assay::report
