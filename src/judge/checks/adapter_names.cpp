// RDMA devices bear the same names on all nodes, and a name means the same slot: NCCL_IB_HCA and rail plans go by name.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "judge/checks/fabric_detail.hpp"
#include "judge/majority.hpp"

namespace assay::judge::checks {

namespace {

struct Named {
  Subject node;
  TextList names;  // empty: none at all
  const Observation* observation = nullptr;
};

TextList missing_from(const TextList& names, const TextList& wanted) {
  TextList lacking;
  for (const std::string& name : wanted)
    if (std::find(names.begin(), names.end(), name) == names.end()) lacking.push_back(name);
  return lacking;
}

std::string difference(const TextList& names, const TextList& usual) {
  const TextList lacking = missing_from(names, usual);
  const TextList extra = missing_from(usual, names);
  std::string words;
  if (!lacking.empty()) words += fmt::format("has no {}", fmt::join(lacking, ", "));
  if (!extra.empty()) words += fmt::format("{}has {}", words.empty() ? "" : " and ", fmt::join(extra, ", "));
  return words;
}

std::string listed(const TextList& names) { return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")); }

// name=address of each device; nothing if one wasn't read.
std::optional<TextList> places_of(const Snapshot& snapshot, const Named& node) {
  TextList places;
  for (const std::string& name : node.names) {
    const auto address = snapshot.text(node.node.child("hca", name), "hca.pci");
    if (!address && !address.missing()) return std::nullopt;
    places.push_back(fmt::format("{}={}", name, address ? *address : "no PCI device"));
  }
  return places;
}

struct Placed {
  const Named* node;
  TextList places;
};

// `all_nodes` counts the nodes whose places weren't seen too.
void judge_alike(const Snapshot& snapshot, const std::vector<Placed>& nodes, std::size_t all_nodes,
                 Judgement& judgement) {
  std::vector<TextList> all;
  std::vector<const Observation*> basis;
  for (const Placed& placed : nodes) {
    all.push_back(placed.places);
    basis.push_back(placed.node->observation);
  }
  const auto usual = majority(all, all_nodes);
  for (const auto& [node, places] : nodes) {
    if (!usual) {
      judgement.unknown(node->node, "no placing of the names is that of most nodes", {node->observation});
    } else if (places == *usual) {
      judgement.pass(node->node, listed(node->names), "its RDMA devices are named as on the other nodes",
                     {node->observation});
    } else {
      judgement.fail(node->node, listed(missing_from(*usual, places)),
                     fmt::format("most nodes have {}", listed(missing_from(places, *usual))), {node->observation});
    }
  }
  if (!usual && std::adjacent_find(all.begin(), all.end(), std::not_equal_to<>()) != all.end())
    judgement.warn(snapshot.cluster(), fmt::format("{} nodes, no common placing", nodes.size()),
                   "the same name means different slots on different nodes, and no placing is that of most of them",
                   basis);
}

// Nodes whose devices sit in the same slots agree on which name each slot has.
void judge_places(const Snapshot& snapshot, const std::vector<Named>& nodes, Judgement& judgement) {
  std::map<std::set<std::string>, std::vector<Placed>> by_slots;
  std::size_t unplaced = 0;
  for (const Named& node : nodes) {
    const auto places = places_of(snapshot, node);
    if (!places) {
      judgement.unknown(node.node, "which slots its RDMA devices are in was not seen", {node.observation});
      ++unplaced;
      continue;
    }
    std::set<std::string> slots;
    for (const std::string& place : *places) slots.insert(place.substr(place.find('=') + 1));
    by_slots[slots].push_back({&node, *places});
  }
  for (const auto& [slots, alike] : by_slots) judge_alike(snapshot, alike, alike.size() + unplaced, judgement);
}

void judge_names(const Snapshot& snapshot, const std::vector<Named>& nodes, Judgement& judgement) {
  std::vector<TextList> all;
  std::vector<const Observation*> basis;
  for (const Named& node : nodes) {
    all.push_back(node.names);
    basis.push_back(node.observation);
  }
  const auto usual = majority(all, snapshot.nodes().size());
  std::vector<Named> agreeing;
  for (const Named& node : nodes) {
    if (!usual) {
      judgement.unknown(node.node, "no set of names is that of most nodes", {node.observation});
    } else if (node.names == *usual) {
      agreeing.push_back(node);
    } else {
      judgement.fail(node.node, listed(node.names),
                     fmt::format("unlike most nodes, it {}", difference(node.names, *usual)), {node.observation});
    }
  }
  if (usual) return judge_places(snapshot, agreeing, judgement);
  if (std::adjacent_find(all.begin(), all.end(), std::not_equal_to<>()) == all.end()) return;
  judgement.warn(snapshot.cluster(), fmt::format("{} nodes, no common set of names", nodes.size()),
                 "nodes name their RDMA devices differently, and no set of names is that of most of them", basis);
}

void hca_naming(const Snapshot& snapshot, Judgement& judgement) {
  std::vector<Named> nodes;
  for (const Subject& node : snapshot.nodes()) {
    const auto names = snapshot.list(node, "hca.names");
    if (names || names.missing()) {
      nodes.push_back({node, names.value.value_or(TextList()), names.observation});
    } else {
      judgement.unknown(node, names);
    }
  }
  const bool any = std::any_of(nodes.begin(), nodes.end(), [](const Named& node) { return !node.names.empty(); });
  if (!any) {
    for (const Named& node : nodes) fabric::without_rdma(snapshot, node.node, judgement);
  } else if (nodes.size() == 1) {
    judgement.unknown(nodes.front().node, "no second node's names were seen to compare with",
                      {nodes.front().observation});
  } else {
    judge_names(snapshot, nodes, judgement);
  }
}

}  // namespace

extern const Family adapter_names = {{"networking.hca-naming", hca_naming}};

}  // namespace assay::judge::checks
