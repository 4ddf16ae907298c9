#include "judge/uniform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace assay::judge {

namespace {

struct Told {
  Subject node;
  Reading<std::string> reading;
};

using Kind = std::vector<Told>;  // nodes of one kind that told the value

std::map<std::string, std::vector<Subject>> holders_of(const Kind& kind) {
  std::map<std::string, std::vector<Subject>> holders;
  for (const Told& told : kind) holders[*told.reading].push_back(told.node);
  return holders;
}

std::vector<const Observation*> basis_of(const Kind& kind) {
  std::vector<const Observation*> basis;
  for (const Told& told : kind) basis.push_back(told.reading.observation);
  return basis;
}

void say_split(const Uniform& rule, const Kind& kind, const Snapshot& snapshot, Judgement& judgement) {
  std::string parts;
  for (const auto& [value, nodes] : holders_of(kind))
    parts += fmt::format("{}{} on {}", parts.empty() ? "" : "; ", value, some_of(nodes));
  judgement.warn(snapshot.cluster(), parts,
                 fmt::format("the nodes differ in their {}, and none has a majority", rule.what), basis_of(kind));
  for (const Told& told : kind)
    judgement.unknown(told.node, fmt::format("no {} has a majority to compare with", rule.what),
                      {told.reading.observation});
}

void judge_kind(const Uniform& rule, const Kind& kind, const Snapshot& snapshot, Judgement& judgement) {
  const auto holders = holders_of(kind);
  const auto most = std::max_element(holders.begin(), holders.end(),
                                     [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  if (2 * most->second.size() <= kind.size()) return say_split(rule, kind, snapshot, judgement);
  for (const Told& told : kind) {
    if (*told.reading == most->first) {
      judgement.pass(
          told.node, *told.reading,
          fmt::format("{} of {} nodes of its kind have this {}", most->second.size(), kind.size(), rule.what),
          {told.reading.observation});
    } else {
      judgement.say(rule.odd, told.node, *told.reading,
                    fmt::format("its {} is {} where {} of {} nodes of its kind have {}", rule.what, *told.reading,
                                most->second.size(), kind.size(), most->first),
                    basis_of(kind));
    }
  }
}

void judge_single(const Uniform& rule, const Told& told, std::size_t of_its_kind, Judgement& judgement) {
  if (of_its_kind == 1)
    return judgement.not_applicable(told.node, "it is the only node of its kind: there is nothing to compare with",
                                    {told.reading.observation});
  judgement.unknown(told.node, fmt::format("no other node of its kind told its {}", rule.what),
                    {told.reading.observation});
}

}  // namespace

std::string some_of(const std::vector<Subject>& nodes) {
  constexpr std::size_t kMost = 8;
  std::string names;
  for (std::size_t i = 0; i < std::min(nodes.size(), kMost); ++i)
    names += fmt::format("{}{}", i == 0 ? "" : ", ", nodes[i].id());
  if (nodes.size() > kMost) names += fmt::format(" and {} more", nodes.size() - kMost);
  return names;
}

std::string kind_of_node(const Snapshot& snapshot, const Subject& node) {
  const auto machine = snapshot.text(node, "kernel.machine");
  const auto gpus = snapshot.integer(node, "gpu.count");
  return fmt::format("{} {}", machine.value.value_or("?"), gpus && *gpus == 0 ? "without GPUs" : "with GPUs");
}

void judge_uniform(const Uniform& rule, const Snapshot& snapshot, Judgement& judgement) {
  std::map<std::string, Kind> kinds;
  std::map<std::string, std::size_t> members;
  for (const Subject& node : snapshot.nodes()) {
    const std::string kind = rule.kind == nullptr ? "" : rule.kind(snapshot, node);
    ++members[kind];
    const auto reading = snapshot.text(node, rule.observation);
    if (reading) {
      kinds[kind].push_back({node, reading});
    } else {
      judgement.unknown(node, reading);
    }
  }
  for (const auto& [name, kind] : kinds) {
    if (kind.size() == 1) {
      judge_single(rule, kind.front(), members[name], judgement);
    } else {
      judge_kind(rule, kind, snapshot, judgement);
    }
  }
}

}  // namespace assay::judge
