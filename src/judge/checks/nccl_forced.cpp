// What takes NCCL's choices away from it: an algorithm, a protocol, a least number of channels; transports switched
// off.
#include <fmt/format.h>

#include <optional>

#include "judge/checks/fabric_detail.hpp"
#include "judge/checks/nccl_detail.hpp"
#include "judge/findings.hpp"

namespace assay::judge::checks {

namespace {

// Nothing, and why (`gap`), where that wasn't seen.
std::optional<bool> has_active_port(const Snapshot& snapshot, const Subject& node, std::string& gap) {
  const auto names = snapshot.list(node, "hca.names");
  if (!names && !names.missing()) gap = names.gap;
  for (const fabric::Port& port : fabric::ports_of(snapshot, node)) {
    const auto state = snapshot.text(port.subject, "port.state");
    if (state && *state == "ACTIVE") return true;
    if (!state) gap = fmt::format("whether {} is active: {}", port.name, state.gap);
  }
  return gap.empty() ? std::optional(false) : std::nullopt;
}

void add_warning(const nccl::Setting& setting, Findings& found) {
  found.rest_on({setting.observation});
  found.warn(setting.words(), setting.words() + (setting.sure ? " is meant for debugging and stays in force"
                                                              : " is in force wherever that condition holds"));
}

// Switches that turn a transport off, with the value that does it.
void add_switched_off(const Snapshot& snapshot, const Subject& node, Findings& found) {
  for (const auto& [name, off] : {std::pair("NCCL_P2P_DISABLE", "1"), std::pair("NCCL_SHM_DISABLE", "1"),
                                  std::pair("NCCL_NVLS_ENABLE", "0"), std::pair("NCCL_IB_DISABLE", "1")})
    for (const nccl::Setting& setting : nccl::settings(snapshot, node, name)) {
      if (setting.value != off) continue;
      std::string gap;
      // Where no port does RDMA, telling NCCL so is right.
      const auto harmful =
          std::string_view(name) == "NCCL_IB_DISABLE" ? has_active_port(snapshot, node, gap) : std::optional(true);
      if (!harmful) found.gap(fmt::format("{}, and {}", setting.words(), gap));
      if (harmful.value_or(false)) add_warning(setting, found);
    }
}

void judge_node(const Snapshot& snapshot, const Subject& node, Judgement& judgement) {
  if (const auto gpus = snapshot.integer(node, "gpu.count"); gpus && *gpus == 0)
    return judgement.not_applicable(node, "the node has no GPU", {gpus.observation});
  Findings found;
  for (const char* name : {"NCCL_ALGO", "NCCL_PROTO", "NCCL_MIN_NCHANNELS"})
    for (const nccl::Setting& setting : nccl::settings(snapshot, node, name)) {
      if (!setting.system || !setting.sure) {
        add_warning(setting, found);
        continue;
      }
      found.rest_on({setting.observation});
      found.fail(setting.words(), setting.words() +
                                      " keeps every job's NCCL from choosing what fits the message and "
                                      "the fabric");
    }
  add_switched_off(snapshot, node, found);
  const nccl::Sight sight = nccl::sight(snapshot, node);
  found.rest_on(sight.basis);
  if (sight.gap) {
    found.gap(sight.gap->gap);
    found.rest_on({sight.gap->observation});
  }
  found.say(node, {Status::pass, "nothing forced", "NCCL may choose algorithm, protocol and channels by itself"},
            judgement);
}

void nccl_not_forced(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& node : snapshot.nodes()) judge_node(snapshot, node, judgement);
}

}  // namespace

extern const Family nccl_forced = {{"networking.nccl-not-forced", nccl_not_forced}};

}  // namespace assay::judge::checks
