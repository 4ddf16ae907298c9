"""/proc of a machine: its own PID namespace's, with single files laid over where a GPU node would show other values
than this kernel does. What lies over is an ordinary file, so a fault may change it in place.

The list is data/proc.yaml. A file that this kernel lacks can't be laid over; it stays absent, as on such a kernel.
"""

import re
from pathlib import Path

import yaml

from . import files, linux, paths


def make(root: Path, member, store: Path) -> None:
    proc = root / "proc"
    linux.mount("proc", proc, "proc", linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC)
    content = yaml.safe_load((paths.LAB / "data/proc.yaml").read_text())
    over = {
        **content["over"],
        **(content["over_node"] if member.role == "node" else {}),
        "cpuinfo": bare_metal(Path("/proc/cpuinfo").read_text()),
    }
    for name, text in over.items():
        target = proc / name
        if target.exists():
            source = store / "proc" / name
            files.put(source, fill(text, member), 0o644)
            linux.bind(source, target)
    if member.role == "node" and (proc / "driver").is_dir():
        linux.mount("driver", proc / "driver", "tmpfs", 0, "mode=755")
        for name, text in content["driver"].items():
            files.put(proc / "driver" / name, fill(text, member), 0o444)


def bare_metal(cpuinfo: str) -> str:
    """This machine's processors, without the flag that says a hypervisor runs them."""
    return re.sub(r"\bhypervisor ", "", cpuinfo)


def fill(text, member) -> str:
    text = f"{text}".rstrip("\n") + "\n"
    for word, value in member.words.items():
        text = text.replace(f"@{word}@", value)
    return text
