"""A control group per machine in every hierarchy, so that Slurm on each can make its own below it. These are the only
things of a lab outside its namespaces, besides its folder; `remove` takes them away when the lab is down.

join       put the calling process in the machine's groups
show       mount the hierarchies in the machine, so that its own group is their root
remove     take away a lab's groups
"""

import os
import time
from pathlib import Path

from . import linux

TOP = Path("/sys/fs/cgroup")


def version() -> str:
    return "v2" if (TOP / "cgroup.controllers").exists() else "v1"


def _hierarchies() -> list[Path]:
    """v2 alone is one hierarchy at the top; v1 has one per controller, and perhaps v2 beside them without any."""
    if version() == "v2":
        return [TOP]
    return [
        folder
        for folder in sorted(TOP.iterdir())
        if folder.is_dir() and not folder.is_symlink() and (folder / "cgroup.procs").exists()
    ]


def join(lab: str, name: str) -> None:
    for hierarchy in _hierarchies():
        group = hierarchy / f"assay-lab-{lab}"
        for folder in (group, group / name):
            folder.mkdir(exist_ok=True)
            _usable(folder)
        (group / name / "cgroup.procs").write_text(str(os.getpid()))


def _usable(folder: Path) -> None:
    """A new cpuset is empty, and no process may enter it so."""
    for file in ("cpuset.cpus", "cpuset.mems"):
        if (folder / file).exists() and not (folder / file).read_text().strip():
            (folder / file).write_text((folder.parent / file).read_text())


def show(target: Path) -> None:
    if version() == "v2":
        linux.mount("cgroup2", target, "cgroup2", linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC)
        return
    linux.mount("tmpfs", target, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC, "mode=755")
    for hierarchy in _hierarchies():
        place = target / hierarchy.name
        place.mkdir()
        unified = (hierarchy / "cgroup.controllers").exists()
        option = {"systemd": "none,name=systemd"}.get(hierarchy.name, hierarchy.name)
        linux.mount("cgroup", place, "cgroup2" if unified else "cgroup", 0, "" if unified else option)


def remove(lab: str, seconds: float = 5) -> list[str]:
    """Groups go from the deepest up, once their last process is reaped; what stays is returned."""
    until = time.monotonic() + seconds
    while True:
        left = [folder for hierarchy in _hierarchies() for folder in _deepest_first(hierarchy / f"assay-lab-{lab}")]
        left = [str(folder) for folder in left if not _removed(folder)]
        if not left or time.monotonic() > until:
            return left
        time.sleep(0.05)


def _deepest_first(top: Path) -> list[Path]:
    if not top.is_dir():
        return []
    return [Path(folder) for folder, _, _ in os.walk(top, topdown=False)]


def _removed(folder: Path) -> bool:
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True
