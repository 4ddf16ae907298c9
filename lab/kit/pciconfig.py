"""A device's configuration space, 4096 bytes, as the PCI Express base specification lays it out.

Filled in: the header, the PCI Express capability at 0x60 (port type, link capability and status), Advanced Error
Reporting at 0x100, and on bridges that can redirect (root and downstream ports) Access Control Services at 0x148
with its control register 0: peers may talk to each other directly.
"""

import struct

CAPABILITY, ERRORS, ACS = 0x60, 0x100, 0x148
ACS_CONTROL = ACS + 6
EVERY_ACS_CAPABILITY = (
    0x001F | 0x0040
)  # source validation, translation blocking, both redirects, upstream forwarding, direct translated


def config(kind: dict, buses: tuple[int, int, int]) -> bytes:
    space = bytearray(4096)
    bridge = kind["port"] in (4, 5, 6)
    _header(space, kind, bridge, buses)
    _express(space, kind)
    _extended(space, kind)
    return bytes(space)


def _put(space: bytearray, at: int, form: str, *values: int) -> None:
    struct.pack_into("<" + form, space, at, *values)


def _header(space, kind, bridge, buses) -> None:
    _put(space, 0x00, "HHHH", kind["vendor"], kind["device"], 0x0547 if bridge else 0x0146, 0x0010)
    _put(space, 0x08, "I", kind["class"] << 8 | kind["revision"])
    _put(space, 0x0E, "B", 1 if bridge else 0)
    if bridge:
        _put(space, 0x18, "BBB", *buses)
    else:
        _put(space, 0x2C, "HH", kind["subvendor"], kind["subdevice"])
    _put(space, 0x34, "B", CAPABILITY)


def _express(space, kind) -> None:
    link = kind["generation"] | kind["lanes"] << 4
    _put(space, CAPABILITY, "BBH", 0x10, 0, 2 | kind["port"] << 4)
    _put(
        space, CAPABILITY + 0x08, "HH", 0x2936, 0
    )  # device control: 256-byte payload, 512-byte reads, relaxed ordering
    _put(space, CAPABILITY + 0x0C, "I", link)
    _put(space, CAPABILITY + 0x12, "H", link | 0x1000)  # status: slot clock
    _put(space, CAPABILITY + 0x2C, "I", ((1 << kind["generation"]) - 1) << 1)
    _put(space, CAPABILITY + 0x30, "H", kind["generation"])


def _extended(space, kind) -> None:
    redirects = kind["port"] in (4, 6)
    _put(space, ERRORS, "I", 0x0001 | 2 << 16 | (ACS if redirects else 0) << 20)
    if redirects:
        _put(space, ACS, "IHH", 0x000D | 1 << 16, EVERY_ACS_CAPABILITY, 0)
