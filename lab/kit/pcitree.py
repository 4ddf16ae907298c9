"""Where each PCI device of the machine sits: data/hgx-h100.yaml turned into a list of devices with their paths.

Device      kind, address, the path below /sys/devices, NUMA node, and what it is for (slot and name)
devices     all of them, bridges before what is behind them
"""

from dataclasses import dataclass, field
from functools import cache

import yaml

from . import paths


@dataclass(frozen=True)
class Device:
    kind: str
    address: str
    path: str  # below /sys/devices
    numa: int
    slot: int = -1  # the GPU's and adapter's number, where it has one
    buses: tuple[int, int, int] = field(default=(0, 0, 0))  # a bridge's primary, secondary, subordinate


@cache
def layout() -> dict:
    return yaml.safe_load((paths.LAB / "data/hgx-h100.yaml").read_text())


def _at(bus: int, device: int) -> str:
    return f"0000:{bus:02x}:{device:02x}.0"


def devices() -> list[Device]:
    plan = layout()
    found = [device for number, slot in enumerate(plan["slots"]) for device in _slot(number, slot)]
    found += _behind_root_port(plan["storage"], 1, plan["storage"]["adapter"], "storage", len(plan["slots"]))
    switches = plan["nvswitches"]
    for number in range(switches["count"]):
        found += _behind_root_port(switches, 1 + number, switches["first"] + number, "nvswitch", number)
    return found


def _slot(number: int, slot: dict) -> list[Device]:
    root, numa = slot["root"], slot["numa"]
    top = f"pci0000:{root:02x}/{_at(root, 1)}"
    last = max(slot["gpu"], slot["adapter"])
    found = [Device("root_port", _at(root, 1), top, numa, number, (root, root + 1, last))]
    switch = f"{top}/{_at(root + 1, 0)}"
    found.append(Device("upstream", _at(root + 1, 0), switch, numa, number, (root + 1, root + 2, last)))
    for port, kind in enumerate(("disk", "gpu", "adapter")):
        if kind in slot:
            bridge = f"{switch}/{_at(root + 2, port)}"
            found.append(
                Device("downstream", _at(root + 2, port), bridge, numa, number, (root + 2, slot[kind], slot[kind]))
            )
            found.append(Device(kind, _at(slot[kind], 0), f"{bridge}/{_at(slot[kind], 0)}", numa, number))
    return found


def _behind_root_port(place: dict, port: int, bus: int, kind: str, number: int) -> list[Device]:
    top = f"pci0000:{place['root']:02x}/{_at(place['root'], port)}"
    return [
        Device("root_port", _at(place["root"], port), top, place["numa"], number, (place["root"], bus, bus)),
        Device(kind, _at(bus, 0), f"{top}/{_at(bus, 0)}", place["numa"], number),
    ]
