"""A lab that is running: what its folder on the host says about it.

Lab.of       the lab of that name, or a clear end when there is none
enter        the command line that runs something inside a machine
"""

import json
import os
from pathlib import Path

from . import paths
from .cluster import PATH


class Lab:
    def __init__(self, name: str, state: dict) -> None:
        self.name = name
        self.keeper: int = state["keeper"]
        self.machines: dict[str, int] = state["machines"]

    @staticmethod
    def of(name: str) -> "Lab":
        file = paths.run_dir(name) / "lab.json"
        try:
            lab = Lab(name, json.loads(file.read_text()))
        except FileNotFoundError:
            raise SystemExit(
                f"lab: no lab {name!r} is up (expected {file}); start one with lab/up --name {name}"
            ) from None
        if not alive(lab.keeper, name):
            raise SystemExit(
                f"lab: the lab {name!r} has ended (process {lab.keeper} is gone); lab/down --name {name} clears it away"
            )
        return lab

    @property
    def nodes(self) -> list[str]:
        return [name for name in self.machines if name != "head"]

    def pid(self, name: str) -> int:
        if name not in self.machines:
            raise SystemExit(f"lab: expected a machine among {', '.join(self.machines)}, got {name!r}")
        return self.machines[name]

    def root(self, name: str) -> Path:
        """The machine's root as the host sees it, its mounts included."""
        return Path(f"/proc/{self.pid(name)}/root")

    def enter(self, name: str, call: list[str]) -> list[str]:
        environment = [
            f"PATH={PATH}",
            "HOME=/root",
            "USER=root",
            "LANG=C.UTF-8",
            f"TERM={os.environ.get('TERM', 'dumb')}",
        ]
        # -r and -w: where the lab was brought up inside a chroot, a mount namespace's top isn't the machine's root.
        return [
            "nsenter",
            "-t",
            str(self.pid(name)),
            "-m",
            "-u",
            "-i",
            "-n",
            "-p",
            "-C",
            "-r",
            "-w",
            "env",
            "-i",
            *environment,
            *call,
        ]


def alive(pid: int, name: str) -> bool:
    """The process and not another that got its number: the keeper is known by what it holds open."""
    try:
        return (
            Path(f"/proc/{pid}/comm").read_text().strip() == "assay-lab-keep"
            and f"/{name}/store" in Path(f"/proc/{pid}/mountinfo").read_text()
        )
    except OSError:
        return False
