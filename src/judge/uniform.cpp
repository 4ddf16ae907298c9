#include "judge/uniform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "judge/majority.hpp"

namespace assay::judge {

namespace {

struct Told {
  Subject node;
  Reading<std::string> reading;
};

struct Kind {
  std::vector<Told> told;
  std::size_t members = 0;  // those that didn't tell the value too, and those that may be of any kind
};

std::map<std::string, std::vector<Subject>> holders_of(const Kind& kind) {
  std::map<std::string, std::vector<Subject>> holders;
  for (const Told& told : kind.told) holders[*told.reading].push_back(told.node);
  return holders;
}

std::vector<const Observation*> basis_of(const Kind& kind) {
  std::vector<const Observation*> basis;
  for (const Told& told : kind.told) basis.push_back(told.reading.observation);
  return basis;
}

// No value is that of most: either the nodes differ, or too few of them told.
void say_undecided(const Uniform& rule, const Kind& kind, const Snapshot& snapshot, Judgement& judgement) {
  const auto holders = holders_of(kind);
  std::string parts;
  for (const auto& [value, nodes] : holders)
    parts += fmt::format("{}{} on {}", parts.empty() ? "" : "; ", value, some_of(nodes));
  if (holders.size() > 1)
    judgement.warn(snapshot.cluster(), parts,
                   fmt::format("the nodes differ in their {}, and none has a majority", rule.what), basis_of(kind));
  for (const Told& told : kind.told)
    judgement.unknown(told.node,
                      holders.size() > 1 ? fmt::format("no {} has a majority to compare with", rule.what)
                                         : fmt::format("only {} of {} nodes of its kind told their {}",
                                                       kind.told.size(), kind.members, rule.what),
                      {told.reading.observation});
}

void judge_kind(const Uniform& rule, const Kind& kind, const Snapshot& snapshot, Judgement& judgement) {
  std::vector<std::string> values;
  for (const Told& told : kind.told) values.push_back(*told.reading);
  const auto most = majority(values, kind.members);
  if (!most) return say_undecided(rule, kind, snapshot, judgement);
  const auto count = std::count(values.begin(), values.end(), *most);
  for (const Told& told : kind.told) {
    if (*told.reading == *most) {
      judgement.pass(told.node, *told.reading,
                     fmt::format("{} of {} nodes of its kind have this {}", count, kind.members, rule.what),
                     {told.reading.observation});
    } else {
      judgement.say(rule.odd, told.node, *told.reading,
                    fmt::format("its {} is {} where {} of {} nodes of its kind have {}", rule.what, *told.reading,
                                count, kind.members, *most),
                    basis_of(kind));
    }
  }
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

std::optional<std::string> kind_of_node(const Snapshot& snapshot, const Subject& node) {
  const auto machine = snapshot.text(node, "kernel.machine");
  auto gpus = snapshot.integer(node, "gpu.count");
  if (!gpus) gpus = snapshot.integer(node, "gpu.pci-count");  // its driver may be dead
  if (!machine || !gpus) return std::nullopt;
  return fmt::format("{} {}", *machine, *gpus == 0 ? "without GPUs" : "with GPUs");
}

void judge_uniform(const Uniform& rule, const Snapshot& snapshot, Judgement& judgement) {
  std::map<std::string, Kind> kinds;
  std::size_t of_any_kind = 0;
  for (const Subject& node : snapshot.nodes()) {
    const auto kind = rule.kind == nullptr ? std::string() : rule.kind(snapshot, node);
    const auto reading = snapshot.text(node, rule.observation);
    if (!reading) {
      judgement.unknown(node, reading);
    } else if (!kind) {
      judgement.unknown(node, "what kind of node it is was not seen, so neither which nodes to compare it with",
                        {reading.observation});
    }
    if (!kind) {
      ++of_any_kind;
      continue;
    }
    ++kinds[*kind].members;
    if (reading) kinds[*kind].told.push_back({node, reading});
  }
  for (auto& [name, kind] : kinds) {
    kind.members += of_any_kind;
    if (kind.members == 1 && !kind.told.empty()) {
      judgement.not_applicable(kind.told.front().node,
                               "it is the only node of its kind: there is nothing to compare with", basis_of(kind));
    } else {
      judge_kind(rule, kind, snapshot, judgement);
    }
  }
}

}  // namespace assay::judge
