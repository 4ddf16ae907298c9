"""What a lab consists of: its machines, their names and addresses. The head is .1, node n5 is .15.

Machine     one of them
machines    all of a lab with so many nodes
"""

import os
from dataclasses import dataclass

from . import cgroups

NETWORK = "10.77.0"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass(frozen=True)
class Machine:
    name: str
    role: str  # head or node
    number: int  # 0 for the head
    nodes: int  # how many nodes the cluster has

    @property
    def address(self) -> str:
        return f"{NETWORK}.{10 + self.number if self.number else 1}"

    @property
    def node_names(self) -> list[str]:
        return [f"n{number}" for number in range(1, self.nodes + 1)]

    @property
    def words(self) -> dict[str, str]:
        """What the templates under etc/ may name between @ signs."""
        return {
            "NODES": f"n[1-{self.nodes}]" if self.nodes > 1 else "n1",
            "CPUS": str(os.cpu_count()),
            "HOST": self.name,
            "CGROUP": cgroups.version(),
            "KERNEL": os.uname().release,
        }


def machines(nodes: int) -> list[Machine]:
    if not 1 <= nodes <= 200:
        raise SystemExit(f"lab: expected 1 to 200 nodes, got {nodes}")
    return [Machine("head", "head", 0, nodes)] + [Machine(f"n{n}", "node", n, nodes) for n in range(1, nodes + 1)]
