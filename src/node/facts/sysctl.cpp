// Kernel settings that decide how jobs run, what users may see, and what is left open.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

constexpr Emits kEmits[] = {
    {"sysctl.kernel.numa_balancing", "", "", "0: pages stay where they were put; 1, 2: the kernel moves them"},
    {"sysctl.vm.swappiness", "", "", "how readily memory is swapped out"},
    {"sysctl.vm.zone_reclaim_mode", "", "", "0: memory of other NUMA nodes is used before pages are reclaimed"},
    {"sysctl.vm.overcommit_memory", "", "", "2: no more memory is promised than there is"},
    {"sysctl.vm.max_map_count", "", "", "memory mappings a process may have"},
    {"sysctl.vm.compaction_proactiveness", "", "", "how hard memory is compacted in the background"},
    {"sysctl.kernel.dmesg_restrict", "", "", "0: every user may read the kernel log"},
    {"sysctl.kernel.perf_event_paranoid", "", "", "what of the CPU's counters users may read; 2 and less: their own"},
    {"sysctl.kernel.kptr_restrict", "", "", "whether kernel addresses are hidden"},
    {"sysctl.kernel.yama.ptrace_scope", "", "", "whom a user may trace"},
    {"sysctl.kernel.randomize_va_space", "", "", "2: addresses are fully randomized"},
    {"sysctl.kernel.unprivileged_bpf_disabled", "", "", "0: users may load BPF programs"},
    {"sysctl.kernel.unprivileged_userns_clone", "", "", "0: users may not make user namespaces (Debian, Ubuntu)"},
    {"sysctl.kernel.apparmor_restrict_unprivileged_userns", "", "", "1: AppArmor confines users' namespaces (Ubuntu)"},
    {"sysctl.user.max_user_namespaces", "", "", "how many user namespaces a user may make"},
    {"sysctl.kernel.kexec_load_disabled", "", "", "1: no other kernel can be started in place of this one"},
    {"sysctl.kernel.sysrq", "", "", "which emergency keys work"},
    {"sysctl.kernel.panic", "", "", "seconds from a panic to the reboot; 0: never"},
    {"sysctl.kernel.panic_on_oops", "", "", "1: an oops ends the node rather than leaving it half alive"},
    {"sysctl.kernel.hung_task_timeout_secs", "", "", "after how long a task counts as hung; 0: never"},
    {"sysctl.kernel.hung_task_panic", "", "", "1: a hung task ends the node"},
    {"sysctl.kernel.core_pattern", "", "", "where core files go"},
    {"sysctl.kernel.pid_max", "", "", "process numbers there are"},
    {"sysctl.kernel.threads-max", "", "", "threads there may be"},
    {"sysctl.fs.file-max", "", "", "files that may be open"},
    {"sysctl.fs.nr_open", "", "", "files that a process may open"},
    {"sysctl.fs.inotify.max_user_watches", "", "", "files that a user may watch"},
    {"sysctl.net.core.rmem_max", "", "", "largest receive buffer a socket may ask for"},
    {"sysctl.net.core.wmem_max", "", "", "largest send buffer a socket may ask for"},
    {"sysctl.net.core.somaxconn", "", "", "connections that may wait to be accepted"},
    {"sysctl.net.ipv4.ip_forward", "", "", "1: packets are routed on to others"},
    {"sysctl.net.ipv4.neigh.default.gc_thresh3", "", "", "neighbors that may be known at once"},
};

void read(Host& host, Findings& findings) {
  constexpr std::string_view kPrefix = "sysctl.";
  for (const Emits& emits : kEmits) {
    std::string path(emits.name.substr(kPrefix.size()));
    std::replace(path.begin(), path.end(), '.', '/');
    path = "/proc/sys/" + path;
    const auto line = host.line(path);
    const auto number = line ? text::integer(*line) : std::nullopt;
    if (number) {
      findings.see({}, emits.name, *number, path);
    } else {
      findings.say({}, emits.name, line, path);
    }
  }
}

}  // namespace

extern const Reader sysctl = {"sysctl", "kernel settings", std::chrono::seconds(5), kEmits, read};

}  // namespace assay::node::facts
