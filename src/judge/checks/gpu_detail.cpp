#include "judge/checks/gpu_detail.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "judge/siblings.hpp"

namespace assay::judge::gpu {

namespace {

enum class Has { none, some, unknown };

// Says itself what keeps a node from being judged.
Has has_gpus(const Snapshot& snapshot, const Subject& node, Judgement& judgement) {
  const auto count = snapshot.integer(node, "gpu.count");
  if (count && *count == 0) {
    judgement.not_applicable(node, "the node has no GPU", {count.observation});
    return Has::none;
  }
  if (!count && snapshot.parts(node, "gpu").empty()) {
    judgement.unknown(node, count);
    return Has::unknown;
  }
  return Has::some;
}

}  // namespace

void for_each_node(const Snapshot& snapshot, Judgement& judgement, const std::function<void(const Subject&)>& each) {
  for (const Subject& node : snapshot.nodes())
    if (has_gpus(snapshot, node, judgement) == Has::some) each(node);
}

void for_each(const Snapshot& snapshot, Judgement& judgement,
              const std::function<void(const Subject& node, const Subject& gpu)>& each) {
  for_each_node(snapshot, judgement, [&](const Subject& node) {
    const auto parts = snapshot.parts(node, "gpu");
    for (const Subject& part : parts) each(node, part);
    const auto count = snapshot.integer(node, "gpu.count");
    if (!count)
      judgement.unknown(node, "how many GPUs it has beside those that were seen: " + count.gap, {count.observation});
    if (count && *count > static_cast<std::int64_t>(parts.size()))
      judgement.unknown(node, fmt::format("the driver counts {} GPUs, but only {} were seen", *count, parts.size()),
                        {count.observation});
  });
}

void add_unseen(const Snapshot& snapshot, Models& models) {
  for (const Subject& node : snapshot.nodes()) {
    const auto count = snapshot.integer(node, "gpu.count");
    if (!count) models.add_silent_node();
    for (auto seen = static_cast<std::int64_t>(snapshot.parts(node, "gpu").size()); count && seen < *count; ++seen)
      models.add_silent(std::nullopt);
  }
}

void compare_nodes(const Snapshot& snapshot, Judgement& judgement, std::string_view observation,
                   std::string_view what) {
  Siblings siblings;
  std::size_t unread = 0;
  for (const Subject& node : snapshot.nodes()) {
    const auto count = snapshot.integer(node, "gpu.count");
    if (count && *count == 0) continue;
    const auto value = snapshot.text(node, observation);
    if (value) {
      siblings.add(node, *value, value.observation);
    } else {
      judgement.unknown(node, value);
      ++unread;
    }
  }
  siblings.add_silent(unread);
  std::vector<const Observation*> basis;
  for (const auto& member : siblings.members()) basis.push_back(member.observation);
  const Subject& cluster = snapshot.cluster();
  if (siblings.members().empty()) {
    if (unread > 0) return;
    for (const Subject& node : snapshot.nodes()) basis.push_back(snapshot.find(node, "gpu.count"));
    return judgement.not_applicable(cluster, "no node has a GPU", basis);
  }
  if (siblings.all() == 1) return judgement.not_applicable(cluster, "only one node with a GPU was looked at", basis);
  const std::string majority = siblings.majority();
  if (siblings.uniform() && majority.empty())
    return judgement.unknown(
        cluster, fmt::format("only {} of {} nodes told {}", siblings.members().size(), siblings.all(), what), basis);
  if (siblings.uniform())
    return judgement.pass(cluster, siblings.tally(), fmt::format("every node that was seen has {} {}", what, majority),
                          basis);
  if (majority.empty())
    return judgement.warn(cluster, siblings.tally(),
                          fmt::format("{} differs between nodes, and none is that of most", what), basis);
  for (const auto& member : siblings.members())
    if (member.value != majority)
      judgement.fail(member.subject, member.value,
                     fmt::format("{} is {} here and {} on most nodes", what, member.value, majority), basis);
}

const Record* generation_of(const catalog::Table& generations, std::string_view product) {
  std::string words(product);
  std::replace_if(
      words.begin(), words.end(), [](char c) { return c == '-' || c == '_' || c == '/'; }, ' ');
  for (const std::string_view word : text::words(words))
    if (const Record* row = generations.row(word)) return row;
  return nullptr;
}

}  // namespace assay::judge::gpu
