#include "cluster/slurm_discovery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "base/hostlist.hpp"
#include "base/text.hpp"
#include "cluster/slurm_ask.hpp"
#include "slurm/gres.hpp"
#include "slurm/text.hpp"

namespace assay::cluster {

namespace {

// For nodes whose answer slurmctld waits for. It pings a node that was just resumed within a second or so.
constexpr std::chrono::seconds kSettling{10};
constexpr std::chrono::milliseconds kBetweenLooks{500};

}  // namespace

std::string SlurmDiscovery::cluster() {
  if (const std::string named = environment("SLURM_CLUSTER_NAME"); !named.empty()) return named;
  const auto config = ask_slurm({"scontrol", "show", "config"}, waiting_.stop_fd);
  if (!config) {
    broken_ = config.error();
    return "slurm";
  }
  const auto parsed = slurm::parse_config(*config);
  const bool known = parsed && parsed->settings.contains("ClusterName");
  return known ? parsed->settings.at("ClusterName") : "slurm";
}

// What slurmctld hands out, where it tells.
void SlurmDiscovery::correct_devices(std::vector<SlurmNode>& nodes) const {
  if (std::all_of(nodes.begin(), nodes.end(), [](const SlurmNode& node) { return node.gres.empty(); })) return;
  const auto text = ask_slurm({"scontrol", "-o", "show", "nodes"}, waiting_.stop_fd);
  const auto told = text ? slurm::parse_nodes_text(*text) : Seen<std::vector<slurm::Node>>();
  if (!told) return;
  std::map<std::string_view, std::string_view> tres;
  for (const slurm::Node& node : *told) tres.emplace(node.name, node.tres);
  for (SlurmNode& node : nodes) node.gres = slurm::devices_of(node.gres, tres[node.name]);
}

// Nodes of the partition (the default one if none is named), or of the allocation; one entry each.
Result<std::vector<SlurmNode>> SlurmDiscovery::look(const std::string& nodelist) {
  std::vector<std::string> argv{"sinfo", "-h", "-N", "-o", kSinfoFormat};
  if (!request_.options().partition.empty()) argv.insert(argv.end(), {"-p", request_.options().partition});
  if (!nodelist.empty()) argv.insert(argv.end(), {"-n", nodelist});
  const auto text = ask_slurm(argv, waiting_.stop_fd);
  if (!text) return failure(text.error());
  auto told = parse_sinfo(*text);
  if (!told) return told;
  const bool any_partition = request_.in_allocation() || !request_.options().partition.empty() || !nodelist.empty();
  std::vector<SlurmNode> nodes;
  for (SlurmNode& node : *told) {
    const bool again = std::any_of(nodes.begin(), nodes.end(), [&](const auto& n) { return n.name == node.name; });
    if (!again && (any_partition || node.by_default)) nodes.push_back(std::move(node));
  }
  std::sort(nodes.begin(), nodes.end(),
            [](const auto& a, const auto& b) { return text::natural_less(a.name, b.name); });
  correct_devices(nodes);
  seen_ = nodes;
  return nodes;
}

// A node whose answer slurmctld still waits for is looked at again for a while before it counts as missing.
Result<std::vector<SlurmNode>> SlurmDiscovery::look_until_heard(const std::string& nodelist) {
  const auto until = std::chrono::steady_clock::now() + kSettling;
  for (;;) {
    auto found = look(nodelist);
    if (!found) return found;
    const auto awaited = std::count_if(found->begin(), found->end(), [](const auto& node) { return node.awaited(); });
    if (awaited == 0 || std::chrono::steady_clock::now() > until) return found;
    if (waiting_.tell) waiting_.tell(fmt::format("{} of {} nodes have not answered Slurm yet", awaited, found->size()));
    if (told_to_stop(waiting_.stop_fd, kBetweenLooks)) return failure(unwanted("sinfo"));
  }
}

const SlurmNode* SlurmDiscovery::known(const std::string& name) const {
  const auto found = std::find_if(seen_.begin(), seen_.end(), [&](const SlurmNode& node) { return node.name == name; });
  return found == seen_.end() ? nullptr : &*found;
}

void SlurmDiscovery::know(const std::vector<std::string>& names) {
  if (seen_.empty()) static_cast<void>(look(fmt::format("{}", fmt::join(names, ","))));
}

Result<void> SlurmDiscovery::check_all_there(const std::string& nodelist, const std::vector<SlurmNode>& found) const {
  const std::string& partition = request_.options().partition;
  if (found.empty())
    return failure({Error::Kind::usage,
                    partition.empty() ? "a default partition with nodes" : "nodes in the partition " + partition,
                    "none that you may see", nodelist.empty() ? "sinfo" : "sinfo -n " + nodelist,
                    "see sinfo -s for partitions, sinfo -N for nodes"});
  const auto names = hostlist::expand(nodelist);
  if (!names) return {};  // sinfo could read it, and has found some
  for (const std::string& name : *names)
    if (std::none_of(found.begin(), found.end(), [&](const SlurmNode& node) { return node.name == name; }))
      return failure({Error::Kind::usage, "nodes that Slurm knows", name, "-w " + nodelist, "see sinfo -N"});
  return {};
}

// With fewer nodes wanted than there are: those that are free now come first.
Result<void> SlurmDiscovery::keep_so_many(std::vector<SlurmNode>& found) const {
  const auto count = static_cast<std::size_t>(std::max(request_.options().node_count, 0));
  if (count == 0) return {};
  const auto rank = [](const SlurmNode& node) { return node.idle() ? 0 : node.unreachable(false).empty() ? 1 : 2; };
  std::stable_sort(found.begin(), found.end(),
                   [&](const SlurmNode& a, const SlurmNode& b) { return rank(a) < rank(b); });
  if (found.size() < count)
    return failure({Error::Kind::usage, fmt::format("{} nodes", count), fmt::format("{}", found.size()),
                    "-N " + std::to_string(count), "ask for fewer, or for another partition"});
  found.resize(count);
  return {};
}

Result<std::vector<SlurmNode>> SlurmDiscovery::wanted() {
  if (broken_) return failure(*broken_);
  const std::string allocated = request_.in_allocation() ? environment("SLURM_JOB_NODELIST") : std::string();
  const std::string& nodelist = request_.options().nodelist.empty() ? allocated : request_.options().nodelist;
  auto found = look_until_heard(nodelist);
  if (!found) return found;
  if (auto there = check_all_there(nodelist, *found); !there) return failure(there.error());
  if (auto enough = keep_so_many(*found); !enough) return failure(enough.error());
  return found;
}

}  // namespace assay::cluster
