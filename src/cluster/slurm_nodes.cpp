#include "cluster/slurm_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "slurm/gres.hpp"
#include "slurm/state.hpp"

namespace assay::cluster {

namespace {

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

}  // namespace

bool SlurmNode::awaited() const { return slurm::fitness_of(state) == slurm::Fitness::awaited; }

std::string SlurmNode::unreachable(bool in_reservation) const {
  const std::string why = slurm::why_no_job(state, in_reservation);
  if (why.empty()) return {};
  return fmt::format("Slurm says it is {}{}", why, reason.empty() ? "" : ": " + reason);
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
    node.state = slurm::state_of_sinfo(fields[2]);
    node.gres = slurm::devices_of(fields[3]);
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
