#include "cluster/slurm_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace assay::cluster {

namespace {

struct Meaning {
  std::string_view state;
  std::string_view words;
};

// States in which a node takes no job; a mark after the state ("down*", "idle~") is told by kMarks.
constexpr std::array<Meaning, 13> kUnfit{{
    {"down", "down"},
    {"drained", "drained"},
    {"draining", "being drained"},
    {"drain", "drained"},
    {"fail", "failing"},
    {"failing", "failing"},
    {"error", "in error"},
    {"unknown", "in an unknown state"},
    {"inval", "registered with less than its configuration says"},
    {"future", "not built yet"},
    {"reboot", "rebooting"},
    {"powered_down", "powered down"},
    {"blocked", "blocked"},
}};

constexpr std::array<std::pair<char, std::string_view>, 6> kMarks{{
    {'*', "not responding"},
    {'~', "powered down to save power"},
    {'%', "being powered down"},
    {'!', "about to be powered down"},
    {'@', "about to reboot"},
    {'^', "rebooting"},
}};

bool plain_name(std::string_view name) {
  return !name.empty() && name.front() != '-' && name.size() <= 255 &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
                  c == '.';
         });
}

bool plain_state(std::string_view state) {
  return !state.empty() && state.size() <= 40 && state.front() >= 'a' && state.front() <= 'z';
}

// Without the mark after it.
std::string_view base_of(std::string_view state) { return state.substr(0, state.find_first_of("*~#!%$@^-+")); }

bool unfit(std::string_view base) {
  return std::any_of(kUnfit.begin(), kUnfit.end(), [&](const Meaning& meaning) { return meaning.state == base; });
}

}  // namespace

bool SlurmNode::awaited() const {
  const std::string_view base = base_of(state);
  return base == "unknown" || (state.ends_with('*') && !unfit(base));
}

std::string SlurmNode::unreachable(bool in_reservation) const {
  const std::string_view base = base_of(state);
  std::string why;
  for (const Meaning& meaning : kUnfit)
    if (base == meaning.state) why = meaning.words;
  for (const auto& [mark, words] : kMarks)
    if (state.ends_with(mark)) why += fmt::format("{}{}", why.empty() ? "" : " and ", words);
  if (why.empty() && !in_reservation && (base == "reserved" || base == "resv")) why = "reserved for others";
  if (why.empty() && !in_reservation && (base == "maint" || state.ends_with('$'))) why = "in a maintenance reservation";
  if (why.empty()) return {};
  return fmt::format("Slurm says it is {}{}", why, reason.empty() ? "" : ": " + reason);
}

std::string devices_of(std::string_view gres) {
  std::vector<std::string_view> entries;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= gres.size(); ++i) {
    if (i < gres.size() && gres[i] == '(') ++depth;
    if (i < gres.size() && gres[i] == ')') --depth;
    if (i < gres.size() && (gres[i] != ',' || depth > 0)) continue;
    const auto entry = gres.substr(start, i - start);
    if (entry.starts_with("gpu:") || entry.starts_with("nic:")) entries.push_back(entry.substr(0, entry.find('(')));
    start = i + 1;
  }
  return fmt::format("{}", fmt::join(entries, ","));
}

std::string devices_of(const std::string& devices, std::string_view tres) {
  constexpr std::string_view kKey = "gres/gpu=";
  const bool single = devices.starts_with("gpu:") && devices.find(',') == std::string::npos;
  for (const std::string_view entry : text::split(tres, ','))
    if (single && entry.starts_with(kKey) && text::integer(entry.substr(kKey.size())))
      return devices.substr(0, devices.rfind(':') + 1) + std::string(entry.substr(kKey.size()));
  return devices;
}

Result<std::vector<SlurmNode>> parse_sinfo(std::string_view text) {
  std::vector<SlurmNode> nodes;
  for (const std::string_view line : text::lines(text)) {
    const auto fields = text::split(line, '|');
    if (fields.size() < 5 || !plain_name(fields[0]) || !plain_state(fields[2])) continue;
    SlurmNode node;
    node.name = fields[0];
    node.by_default = fields[1].ends_with('*');
    node.partition = fields[1].substr(0, fields[1].size() - (node.by_default ? 1 : 0));
    node.state = fields[2];
    node.gres = devices_of(fields[3]);
    const auto reason = line.substr(static_cast<std::size_t>(fields[4].data() - line.data()));
    if (reason != "none") node.reason = text::printable(reason.substr(0, 200));
    nodes.push_back(std::move(node));
  }
  if (nodes.empty() && !text::trim(text).empty())
    return failure({Error::Kind::unavailable, "lines of NODE|PARTITION|STATE|GRES|REASON",
                    "\"" + text::printable(text.substr(0, 80)) + "\"", "sinfo", "see what sinfo -N prints"});
  return nodes;
}

}  // namespace assay::cluster
