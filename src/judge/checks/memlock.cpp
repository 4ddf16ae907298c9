// How much memory a user may lock, on nodes whose adapters read and write memory by themselves.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "judge/findings.hpp"

namespace assay::judge::checks {

namespace {

// A limit as its bytes; nothing is unlimited, or as good as that: not less than all memory.
class Limits {
 public:
  Limits(const Snapshot& snapshot, const Subject& node) : memory_(snapshot.integer(node, "memory.total")) {}

  bool enough(std::string_view bytes) const { return bytes == "unlimited" || all_of_memory(text::integer(bytes), 1); }
  // pam_limits counts KiB.
  bool enough_configured(std::string_view kib) const {
    return kib == "unlimited" || kib == "infinity" || kib == "-1" || all_of_memory(text::integer(kib), 1024);
  }
  // A limit that is a number can't be judged where the memory beside it wasn't read; empty if it can.
  std::string gap(std::string_view limit) const {
    if ((memory_ && *memory_ > 0) || text::integer(limit).value_or(-1) < 0) return {};
    return fmt::format("the limit of {} can't be compared with the memory: {}", limit,
                       memory_ ? fmt::format("memory.total is {}", *memory_) : memory_.gap);
  }

 private:
  bool all_of_memory(std::optional<std::int64_t> amount, std::int64_t unit) const {
    return amount && memory_ && *memory_ > 0 && *amount >= *memory_ / unit;
  }
  Reading<std::int64_t> memory_;
};

// What pam_limits gives every user but root as soft limit; empty if it says nothing. The last entry counts.
std::string configured_for_all(const Reading<TextList>& configured) {
  std::string value;
  for (const std::string& entry : configured.value.value_or(TextList())) {
    const auto words = text::words(entry);
    if (words.size() == 3 && words[0] == "*" && (words[1] == "-" || words[1] == "soft")) value = words[2];
  }
  return value;
}

// A hard limit that reads as one; nothing else may be compared.
bool is_limit(const Reading<std::string>& limit) { return limit && (*limit == "unlimited" || text::integer(*limit)); }

// Seen as a user: the limits are those that a job gets the way this one came (ssh, Slurm). Logins may get others.
void judge_user(const Limits& limits, const Subject& node, const Reading<std::string>& soft,
                const Reading<std::string>& hard, const Reading<TextList>& configured, Judgement& judgement) {
  Findings found;
  found.rest_on({soft.observation, hard.observation, configured.observation});
  const std::string for_all = configured_for_all(configured);
  if (!configured && !configured.missing()) found.gap("what pam_limits gives logins: " + configured.gap);
  if (const std::string gap = limits.gap(*soft); !gap.empty()) {
    found.gap(gap);
  } else if (!limits.enough(*soft) && !is_limit(hard)) {
    found.warn(*soft, "a program can't lock more than this unless it may raise its own limit");
    found.gap("whether it may: " + (hard ? fmt::format("limits.memlock-hard is \"{}\"", *hard) : hard.gap));
  } else if (!limits.enough(*soft) && limits.enough(*hard)) {
    found.warn(*soft, "memory may be locked only after a program raises its own limit");
  } else if (!limits.enough(*soft)) {
    found.fail(*soft + " By", "a job can't register more than this with the RDMA adapters");
  }
  if (const std::string gap = limits.gap(for_all); !gap.empty()) {
    found.gap(gap);
  } else if (limits.enough(*soft) && !for_all.empty() && !limits.enough_configured(for_all)) {
    found.warn(*soft,
               fmt::format("this job may lock all memory, but pam_limits lets logins lock {} KiBy only", for_all));
  }
  found.say(node, {Status::pass, *soft, "all memory may be registered with the adapters"}, judgement);
}

// Seen as root: users get the same, unless pam_limits says otherwise (its "*" isn't meant for root).
void judge_root(const Limits& limits, const Subject& node, const Reading<std::string>& soft,
                const Reading<TextList>& configured, Judgement& judgement) {
  const std::vector<const Observation*> basis{soft.observation, configured.observation};
  const std::string for_all = configured_for_all(configured);
  if (!configured && !configured.missing()) return judgement.unknown(node, configured);
  if (const std::string gap = limits.gap(for_all.empty() ? *soft : for_all); !gap.empty())
    return judgement.unknown(node, gap, basis);
  if (!for_all.empty()) {
    if (limits.enough_configured(for_all))
      return judgement.pass(node, for_all, "pam_limits lets every user lock all memory", basis);
    return judgement.fail(node, for_all + " KiBy", "pam_limits lets users lock no more than this", basis);
  }
  if (limits.enough(*soft))
    return judgement.pass(node, *soft, "sessions start without a limit, and pam_limits sets none", basis);
  judgement.fail(node, *soft + " By", "sessions start with this limit, and pam_limits doesn't raise it for all users",
                 basis);
}

void judge_node(const Snapshot& snapshot, const Subject& node, Judgement& judgement) {
  const auto adapters = snapshot.list(node, "hca.names");
  if (adapters.missing() || (adapters && adapters.value->empty()))
    return judgement.not_applicable(node, "it has no RDMA adapter", {adapters.observation});
  if (!adapters) return judgement.unknown(node, adapters);
  const auto soft = snapshot.text(node, "limits.memlock-soft");
  const auto uid = snapshot.text(node, "limits.uid");
  if (!soft) return judgement.unknown(node, soft);
  if (!uid) return judgement.unknown(node, uid);
  if (*soft != "unlimited" && !text::integer(*soft))
    return judgement.unknown(node, fmt::format("limits.memlock-soft is \"{}\"", *soft), {soft.observation});
  const Limits limits(snapshot, node);
  const auto configured = snapshot.list(node, "limits.memlock-configured");
  if (*uid == "0") return judge_root(limits, node, soft, configured, judgement);
  judge_user(limits, node, soft, snapshot.text(node, "limits.memlock-hard"), configured, judgement);
}

void memlock_unlimited(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& node : snapshot.nodes()) judge_node(snapshot, node, judgement);
}

}  // namespace

extern const Family memlock = {{"networking.memlock-unlimited", memlock_unlimited}};

}  // namespace assay::judge::checks
