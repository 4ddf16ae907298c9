"""The simulated InfiniBand fabric, in ibsim's language: a rail per adapter, each rail a leaf switch that has that
adapter of every node, and a spine above them. Names and GUIDs are those that the nodes' /sys show.
"""

from .cluster import machines
from .sysfs_infiniband import guid

ADAPTERS = 9


def net(nodes: int) -> str:
    members = machines(nodes)
    return "\n".join(
        [_switch(adapter, members) for adapter in range(ADAPTERS)]
        + [_spine(nodes)]
        + [_head()]
        + [_adapter(member, adapter) for member in members[1:] for adapter in range(ADAPTERS)]
    )


def _name(member, adapter: int) -> str:
    return f"{member.name}-mlx5_{adapter}"


def _switch(adapter: int, members) -> str:
    lines = [f'[{member.number}]\t"{_name(member, adapter)}"[1]' for member in members[1:]]
    lines.append(f'[{len(members)}]\t"spine"[{adapter + 1}]')
    return f'Switch\t{len(members) + 1} "rail{adapter}"\n' + "\n".join(lines) + "\n"


def _spine(nodes: int) -> str:
    rails = "".join(f'[{adapter + 1}]\t"rail{adapter}"[{nodes + 1}]\n' for adapter in range(ADAPTERS))
    return f'Switch\t{ADAPTERS + 1} "spine"\n{rails}[{ADAPTERS + 1}]\t"head"[1]\n'


def _head() -> str:
    return 'Hca\t1 "head"\n[1]\t"spine"[%d]\n' % (ADAPTERS + 1)


def _adapter(member, adapter: int) -> str:
    number = guid(member, adapter).replace(":", "")
    return f'caguid=0x{number}\nHca\t1 "{_name(member, adapter)}"\n[1](0x{number})\t"rail{adapter}"[{member.number}]\n'
