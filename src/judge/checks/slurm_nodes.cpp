// Slurm's nodes: can they take work, can their GPUs be asked for, and does the scheduler know where they hang.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "judge/checks/slurm_detail.hpp"
#include "slurm/gres.hpp"
#include "slurm/state.hpp"

namespace assay::judge::checks {

namespace {

using assay::slurm::Fitness;
using slurm::Known;
using slurm::Teller;

// NVIDIA's scalable unit: 32 nodes of 8 GPUs under one set of leaf switches, one a rail.
constexpr std::size_t kOneLeafLayer = 32;

// Says not_applicable or unknown of every node and returns false, unless there is a Slurm whose nodes were told.
bool nodes_told(const Snapshot& snapshot, Judgement& judgement, const std::vector<Known>& known,
                const std::vector<Subject>& of) {
  std::vector<const Observation*> basis;
  std::string gap;
  const auto there = slurm::present(snapshot, basis, gap);
  if (there && *there && !known.empty()) return true;
  for (const Subject& subject : of) {
    if (there && !*there) {
      judgement.not_applicable(subject, "Slurm was looked for and isn't here", basis);
    } else {
      judgement.unknown(subject, there ? "no host could tell Slurm's nodes" : gap, basis);
    }
  }
  return false;
}

// ---- orchestration.slurm-nodes-available

struct Condition {
  Fitness fitness = Fitness::available;
  std::string state;
  std::string words;  // "n2 is IDLE+DRAIN (GPU 3 fell off the bus)"
  std::vector<const Observation*> basis;
};

// "SlurmdTimeout (300 sec)"
std::string timeout_of(const Snapshot& snapshot) {
  for (Teller& teller : slurm::tellers(snapshot))
    if (const auto time = teller.setting("SlurmdTimeout"); time && !time->empty())
      return fmt::format("SlurmdTimeout ({})", *time);
  return "SlurmdTimeout";
}

// Slurm powers a node down that did not come up in time, too, and sets it DOWN for that: nobody planned it.
bool failed_to_resume(std::string_view state, const std::string& reason) {
  const auto words = text::split(state, '+');
  return std::find(words.begin(), words.end(), "DOWN") != words.end() &&
         reason.find("ResumeTimeout reached") != std::string::npos;
}

// Nothing if the node's state wasn't told, or if it hangs on a reason that wasn't.
std::optional<Condition> condition_of(const Snapshot& snapshot, const Known& node) {
  const auto state = snapshot.text(node.part, "slurm.node-state");
  const auto reason = snapshot.text(node.part, "slurm.node-reason");
  if (!state) return std::nullopt;
  if (!reason && !reason.missing() && assay::slurm::fitness_of(*state) != Fitness::unfit &&
      failed_to_resume(*state, "ResumeTimeout reached"))
    return std::nullopt;
  return Condition{reason && failed_to_resume(*state, *reason) ? Fitness::unfit : assay::slurm::fitness_of(*state),
                   *state,
                   fmt::format("{} is {}{}", node.name, *state,
                               reason && !reason.value->empty() ? " (" + *reason + ")" : ", without a reason"),
                   {state.observation, reason.observation}};
}

// What is seen on the node itself decides whether a silent one has only not answered yet.
void judge_awaited(const Snapshot& snapshot, Judgement& judgement, const Subject& node, Condition condition) {
  const auto slurmd = snapshot.boolean(node.child("service", "slurmd"), "service.running");
  condition.basis.push_back(slurmd.observation);
  if (slurmd && !*slurmd)
    return judgement.fail(node, condition.state, condition.words + ", and no slurmd runs there", condition.basis);
  judgement.warn(node, condition.state,
                 fmt::format("{}: it gets no new job until it has answered slurmctld, and counts as down after {} "
                             "without an answer{}",
                             condition.words, timeout_of(snapshot), slurmd ? "; its slurmd runs" : ""),
                 condition.basis);
}

// Nodes of the run get a verdict each; the rest of the cluster is told by one.
void slurm_nodes_available(const Snapshot& snapshot, Judgement& judgement) {
  const auto known = slurm::known_nodes(snapshot);
  if (!nodes_told(snapshot, judgement, known, {snapshot.cluster()})) return;
  std::set<std::string> judged;
  for (const Subject& node : snapshot.nodes()) {
    const Known* entry = slurm::entry_of(snapshot, known, node);
    const auto condition = entry == nullptr ? std::nullopt : condition_of(snapshot, *entry);
    if (!condition) continue;
    judged.insert(entry->name);
    if (condition->fitness == Fitness::unfit)
      judgement.fail(node, condition->state, condition->words, condition->basis);
    if (condition->fitness == Fitness::awaited) judge_awaited(snapshot, judgement, node, *condition);
  }
  std::vector<std::string> unfit;
  std::vector<std::string> awaited;
  std::vector<std::string> unread;
  std::size_t available = 0;
  std::size_t planned = 0;
  std::vector<const Observation*> basis{snapshot.find(known.front().part, "slurm.node-state")};
  for (const Known& node : known) {
    const auto condition = condition_of(snapshot, node);
    if (!condition) {
      unread.push_back(node.name);
      continue;
    }
    available += condition->fitness == Fitness::available;
    planned += condition->fitness == Fitness::planned;
    const bool is_unfit = condition->fitness == Fitness::unfit;
    if ((!is_unfit && condition->fitness != Fitness::awaited) || judged.contains(node.name)) continue;
    (is_unfit ? unfit : awaited).push_back(condition->words);
    basis.insert(basis.end(), condition->basis.begin(), condition->basis.end());
  }
  std::string measured = fmt::format("{} of {} nodes can take work", available, known.size());
  if (planned > 0) measured += fmt::format(", {} powered down or in maintenance", planned);
  if (!unfit.empty()) {
    judgement.fail(snapshot.cluster(), measured, slurm::some_of(unfit), basis);
  } else if (!awaited.empty()) {
    judgement.warn(snapshot.cluster(), measured, "no answer to slurmctld yet: " + slurm::some_of(awaited), basis);
  } else if (!unread.empty()) {
    judgement.unknown(snapshot.cluster(), "states that can't be read: " + slurm::some_of(unread), basis);
  } else {
    judgement.pass(snapshot.cluster(), measured, "outside the nodes that were looked at, none is down or drained",
                   basis);
  }
}

// ---- orchestration.gpu-visibility

// A node of no entry is Slurm's fault only if it is meant to be one: its slurmd runs, and it told its own name.
void judge_stranger(const Snapshot& snapshot, Judgement& judgement, const Subject& node, std::int64_t gpus) {
  const auto own = snapshot.text(node, "os.hostname");
  if (!own) return judgement.unknown(node, "which of Slurm's nodes this is can't be told: " + own.gap);
  const auto slurmd = snapshot.boolean(node.child("service", "slurmd"), "service.running");
  const std::string measured = fmt::format("{} GPUs", gpus);
  const std::vector<const Observation*> basis{own.observation, slurmd.observation};
  if (slurmd && *slurmd)
    return judgement.warn(node, measured,
                          fmt::format("slurmd runs, but Slurm knows no node {}, so no job gets its GPUs", *own), basis);
  judgement.unknown(node,
                    fmt::format("Slurm knows no node {}, and {}: it may be no node of this Slurm", *own,
                                slurmd ? "no slurmd runs there" : "whether slurmd runs there was not seen"),
                    basis);
}

void judge_gpus(const Snapshot& snapshot, Judgement& judgement, const Subject& node, const Known* entry) {
  const auto counted = snapshot.integer(node, "gpu.count");
  if (!counted) return judgement.unknown(node, counted);
  if (entry == nullptr) {
    if (*counted == 0) return judgement.not_applicable(node, "the node has no GPU", {counted.observation});
    return judge_stranger(snapshot, judgement, node, *counted);
  }
  const auto gres = snapshot.text(entry->part, "slurm.node-gres");
  if (!gres) return judgement.unknown(node, gres);
  auto offered = assay::slurm::gpus_in(*gres);
  // Gres= is what slurmctld remembers, and may be of before a change; CfgTRES is what it hands out.
  const auto tres = snapshot.text(entry->part, "slurm.node-tres");
  const auto handed_out = tres ? assay::slurm::gpus_of_tres(*tres) : std::nullopt;
  if (offered && handed_out) offered->count = *handed_out;
  const std::vector<const Observation*> basis{counted.observation, gres.observation, tres.observation};
  if (!offered) return judgement.unknown(node, fmt::format("Gres \"{}\" can't be read", *gres), basis);
  const std::string measured = fmt::format("{} GPUs, {} offered by Slurm", *counted, offered->count);
  if (*counted == 0 && offered->count == 0) return judgement.not_applicable(node, "the node has no GPU", basis);
  if (offered->slices)
    return judgement.not_applicable(node, "Slurm offers slices (MIG), not whole GPUs: " + *gres, basis);
  // Inside a job, ConstrainDevices hides from the driver what Slurm doesn't offer; the PCI bus still shows it.
  const auto on_bus = snapshot.integer(node, "gpu.pci-count");
  if (offered->count == *counted && on_bus && *on_bus > *counted)
    return judgement.fail(node, fmt::format("{} GPUs on the PCI bus, {} offered by Slurm", *on_bus, offered->count),
                          fmt::format("{} of {} GPUs can't be asked for", *on_bus - *counted, *on_bus),
                          {on_bus.observation, gres.observation});
  if (offered->count == *counted && !handed_out && !tres && !tres.missing())
    return judgement.unknown(node, "what Slurm hands out (CfgTRES): " + tres.gap, basis);
  if (offered->count == *counted && !on_bus)
    return judgement.unknown(node, "how many GPUs are on the PCI bus: " + on_bus.gap, {on_bus.observation});
  if (offered->count == *counted) return judgement.pass(node, measured, "every GPU can be asked for", basis);
  judgement.fail(node, measured,
                 offered->count < *counted
                     ? fmt::format("{} of {} GPUs can't be asked for", *counted - offered->count, *counted)
                     : fmt::format("Slurm hands out {} GPUs where {} are", offered->count, *counted),
                 basis);
}

void gpu_visibility(const Snapshot& snapshot, Judgement& judgement) {
  const auto known = slurm::known_nodes(snapshot);
  if (!nodes_told(snapshot, judgement, known, snapshot.nodes())) return;
  for (const Subject& node : snapshot.nodes())
    judge_gpus(snapshot, judgement, node, slurm::entry_of(snapshot, known, node));
}

// ---- networking.slurm-topology

// The nodes that a topology has to place: those with GPUs, or all where none has.
struct ToPlace {
  std::vector<std::string> nodes;
  std::vector<std::string> unsure;  // whether they have GPUs wasn't seen
};

ToPlace nodes_to_place(const Snapshot& snapshot, const std::vector<Known>& known) {
  ToPlace place;
  for (const Known& node : known) {
    const auto gres = snapshot.text(node.part, "slurm.node-gres");
    const auto gpus = gres ? assay::slurm::gpus_in(*gres) : std::nullopt;
    if (!gpus && !gres.missing()) place.unsure.push_back(node.name);
    if (gpus && gpus->count > 0) place.nodes.push_back(node.name);
  }
  if (place.nodes.empty() && place.unsure.empty())
    for (const Known& node : known) place.nodes.push_back(node.name);
  return place;
}

Opinion flat(const Snapshot& snapshot, Teller& teller, const std::string& plugin, const ToPlace& place) {
  const auto leaves = snapshot.list(teller.host(), "slurm.topology-file.leaves");
  if (leaves && leaves.value->size() > 1) {
    teller.observation("slurm.topology-file.leaves");
    return {Status::fail, plugin,
            fmt::format("topology.conf describes {} switches, but {} ignores it", leaves.value->size(), plugin)};
  }
  if (leaves.failed()) return {Status::unknown, "", "whether topology.conf describes switches: " + leaves.gap};
  const std::size_t least = place.nodes.size(), most = least + place.unsure.size();
  if (most == 0) return {Status::unknown, "", "how many nodes there are was not seen"};
  if (least > kOneLeafLayer)
    return {Status::fail, fmt::format("{} with {} nodes", plugin, least),
            "that many nodes hang on several switches, and Slurm places jobs without knowing which"};
  if (most > kOneLeafLayer)
    return {Status::unknown, "", fmt::format("{} to {} nodes have GPUs: {} may be too many", least, most, most)};
  return {Status::pass, fmt::format("{} with {} nodes", plugin, most),
          "so few nodes fit under one layer of leaf switches, where the order of nodes doesn't matter"};
}

std::vector<std::string> not_among(const std::vector<std::string>& nodes, const std::set<std::string>& there) {
  std::vector<std::string> missing;
  std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(missing),
               [&](const std::string& node) { return !there.contains(node); });
  return missing;
}

Opinion placed(const Snapshot& snapshot, Teller& teller, const std::string& plugin, const ToPlace& place) {
  const bool told = snapshot.list(teller.host(), "slurm.topology.nodes").value.has_value();
  const std::string prefix = told ? "slurm.topology." : "slurm.topology-file.";
  const auto in_topology = snapshot.list(teller.host(), prefix + "nodes");
  const auto leaves = snapshot.list(teller.host(), prefix + "leaves");
  teller.observation(prefix + "nodes");
  teller.observation(prefix + "leaves");
  if (!in_topology || !leaves) return {Status::unknown, "", in_topology.gap + leaves.gap};
  if (place.nodes.empty() && place.unsure.empty()) return {Status::unknown, "", "which nodes there are was not seen"};
  const std::set<std::string> there(in_topology.value->begin(), in_topology.value->end());
  const auto missing = not_among(place.nodes, there);
  const auto doubtful = not_among(place.unsure, there);
  const std::string measured = fmt::format("{}, {} leaves, {} of {} nodes", plugin, leaves.value->size(),
                                           place.nodes.size() - missing.size(), place.nodes.size());
  if (!missing.empty()) return {Status::fail, measured, "not in the topology: " + slurm::some_of(missing)};
  if (!doubtful.empty())
    return {Status::unknown, "",
            "not in the topology, and whether they have GPUs was not seen: " + slurm::some_of(doubtful)};
  return {Status::pass, measured, "every node has its place in the topology"};
}

void slurm_topology(const Snapshot& snapshot, Judgement& judgement) {
  const ToPlace place = nodes_to_place(snapshot, slurm::known_nodes(snapshot));
  slurm::judge_cluster(snapshot, judgement, [&](Teller& teller) -> Opinion {
    const auto plugin = teller.setting("TopologyPlugin");
    if (!plugin) return {Status::unknown, "", teller.gap()};
    const bool is_flat =
        plugin->empty() || *plugin == "topology/none" || *plugin == "topology/default" || *plugin == "topology/flat";
    if (is_flat) return flat(snapshot, teller, plugin->empty() ? "topology/none" : *plugin, place);
    return placed(snapshot, teller, *plugin, place);
  });
}

}  // namespace

extern const Family slurm_nodes = {
    {"orchestration.slurm-nodes-available", slurm_nodes_available},
    {"orchestration.gpu-visibility", gpu_visibility},
    {"networking.slurm-topology", slurm_topology},
};

}  // namespace assay::judge::checks
