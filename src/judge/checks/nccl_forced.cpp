// What takes NCCL's choices away from it: an algorithm, a protocol, a least number of channels; transports switched
// off.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "judge/checks/fabric_detail.hpp"
#include "judge/checks/nccl_detail.hpp"

namespace assay::judge::checks {

namespace {

struct Found {
  std::vector<std::string> words;
  std::vector<const Observation*> basis;
  bool surely = true;  // the first of them is in force

  void add(const nccl::Setting& setting) {
    if (words.empty()) surely = setting.sure;
    words.push_back(setting.words());
    basis.push_back(setting.observation);
  }
};

bool has_active_port(const Snapshot& snapshot, const Subject& node) {
  const auto ports = fabric::ports_of(snapshot, node);
  return std::any_of(ports.begin(), ports.end(), [&](const fabric::Port& port) {
    return snapshot.text(port.subject, "port.state").value.value_or("") == "ACTIVE";
  });
}

// Switches that turn a transport off, with the value that does it.
void add_switched_off(const Snapshot& snapshot, const Subject& node, Found& found) {
  for (const auto& [name, off] : {std::pair("NCCL_P2P_DISABLE", "1"), std::pair("NCCL_SHM_DISABLE", "1"),
                                  std::pair("NCCL_NVLS_ENABLE", "0"), std::pair("NCCL_IB_DISABLE", "1")}) {
    // Where no port does RDMA, telling NCCL so is right.
    if (std::string_view(name) == "NCCL_IB_DISABLE" && !has_active_port(snapshot, node)) continue;
    for (const nccl::Setting& setting : nccl::settings(snapshot, node, name))
      if (setting.value == off) found.add(setting);
  }
}

void judge_node(const Snapshot& snapshot, const Subject& node, Judgement& judgement) {
  if (const auto gpus = snapshot.integer(node, "gpu.count"); gpus && *gpus == 0)
    return judgement.not_applicable(node, "the node has no GPU", {gpus.observation});
  Found forced;
  Found mild;
  for (const char* name : {"NCCL_ALGO", "NCCL_PROTO", "NCCL_MIN_NCHANNELS"})
    for (const nccl::Setting& setting : nccl::settings(snapshot, node, name))
      (setting.system && setting.sure ? forced : mild).add(setting);
  if (!forced.words.empty())
    return judgement.fail(
        node, fmt::format("{}", fmt::join(forced.words, ", ")),
        forced.words.front() + " keeps every job's NCCL from choosing what fits the message and the fabric",
        forced.basis);
  add_switched_off(snapshot, node, mild);
  if (!mild.words.empty())
    return judgement.warn(node, fmt::format("{}", fmt::join(mild.words, ", ")),
                          mild.words.front() + (mild.surely ? " is meant for debugging and stays in force"
                                                            : " is in force wherever that condition holds"),
                          mild.basis);
  const nccl::Sight sight = nccl::sight(snapshot, node);
  if (sight.gap) return judgement.unknown(node, *sight.gap);
  judgement.pass(node, "nothing forced", "NCCL may choose algorithm, protocol and channels by itself", sight.basis);
}

void nccl_not_forced(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& node : snapshot.nodes()) judge_node(snapshot, node, judgement);
}

}  // namespace

extern const Family nccl_forced = {{"networking.nccl-not-forced", nccl_not_forced}};

}  // namespace assay::judge::checks
