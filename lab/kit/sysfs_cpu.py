"""/sys/devices/system of a machine: this machine's own processors, in two NUMA nodes, with a GPU node's settings.

What the scheduler needs to be true (how many, their topology) is copied from this kernel. What a check looks at and
this virtual machine can't show soundly (frequency governor, mitigations) is set as a well kept node has it.
"""

import os
from pathlib import Path

from . import files

REAL = Path("/sys/devices/system/cpu")
MITIGATED = {
    "gather_data_sampling": "Not affected",
    "itlb_multihit": "Not affected",
    "l1tf": "Not affected",
    "mds": "Not affected",
    "meltdown": "Not affected",
    "mmio_stale_data": "Not affected",
    "reg_file_data_sampling": "Not affected",
    "retbleed": "Not affected",
    "spec_rstack_overflow": "Not affected",
    "spec_store_bypass": "Mitigation: Speculative Store Bypass disabled via prctl",
    "spectre_v1": "Mitigation: usercopy/swapgs barriers and __user pointer sanitization",
    "spectre_v2": "Mitigation: Enhanced / Automatic IBRS; IBPB: conditional; RSB filling; BHI: BHI_DIS_S",
    "srbds": "Not affected",
    "tsx_async_abort": "Not affected",
    "vmscape": "Mitigation: IBPB before exit to userspace",
}

FREQUENCY = {
    "scaling_governor": "performance",
    "scaling_available_governors": "performance powersave",
    "scaling_driver": "intel_pstate",
    "energy_performance_preference": "performance",
    "scaling_cur_freq": 3800000,
    "scaling_max_freq": 3800000,
    "scaling_min_freq": 800000,
    "cpuinfo_max_freq": 3800000,
    "cpuinfo_min_freq": 800000,
}


def make(sys: str) -> None:
    target = f"{sys}/devices/system/cpu"
    for name in ("online", "possible", "present", "offline", "kernel_max", "isolated"):
        files.put(f"{target}/{name}", (REAL / name).read_text(), 0o444)
    for cpu in range(os.cpu_count()):
        for part in ("topology", "cache"):
            _copy(REAL / f"cpu{cpu}" / part, f"{target}/cpu{cpu}/{part}")
        files.put_all(f"{target}/cpufreq/policy{cpu}", {**FREQUENCY, "affected_cpus": cpu, "related_cpus": cpu}, 0o644)
        files.link(f"{target}/cpu{cpu}/cpufreq", f"../cpufreq/policy{cpu}")
        node = cpu % 2 if os.cpu_count() > 1 else 0
        files.put_all(f"{sys}/devices/system/node/node{node}/cpu{cpu}", {"online": 1})
    files.put_all(f"{target}/vulnerabilities", MITIGATED)
    files.put_all(f"{target}/smt", {"active": 0, "control": "off"})
    _nodes(sys)


def _nodes(sys: str) -> None:
    count = min(2, os.cpu_count())
    folder = f"{sys}/devices/system/node"
    online = "0-1" if count == 2 else "0"
    files.put_all(
        folder, {name: online for name in ("online", "possible", "has_cpu", "has_memory", "has_normal_memory")}
    )
    for node in range(count):
        cpus = [cpu for cpu in range(os.cpu_count()) if cpu % count == node]
        files.put_all(
            f"{folder}/node{node}",
            {
                "cpulist": ",".join(map(str, cpus)),
                "cpumap": f"{sum(1 << cpu for cpu in cpus):x}",
                "distance": "10 21" if node == 0 else "21 10",
                "meminfo": f"Node {node} MemTotal:       1056964608 kB\nNode {node} MemFree:        1031798784 kB",
            },
        )


def _copy(source: Path, target: str) -> None:
    for folder, _, names in os.walk(source):
        for name in names:
            try:
                files.put(f"{target}/{os.path.relpath(folder, source)}/{name}", Path(folder, name).read_bytes(), 0o444)
            except OSError:
                continue  # write-only or unreadable here; the copy lacks it too
