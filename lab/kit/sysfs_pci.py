"""/sys/devices/pci* with the links from /sys/bus/pci that lead into it, drivers included."""

from . import files
from .pciconfig import config
from .pcitree import Device, devices, layout

SPEEDS = {1: "2.5", 2: "5.0", 3: "8.0", 4: "16.0", 5: "32.0", 6: "64.0"}
NO_ERRORS = {
    "aer_dev_correctable": (
        "RxErr",
        "BadTLP",
        "BadDLLP",
        "Rollover",
        "Timeout",
        "NonFatalErr",
        "CorrIntErr",
        "HeaderOF",
        "TOTAL_ERR_COR",
    ),
    "aer_dev_fatal": (
        "Undefined",
        "DLP",
        "SDES",
        "TLP",
        "FCP",
        "CmpltTO",
        "CmpltAbrt",
        "UnxCmplt",
        "RxOF",
        "MalfTLP",
        "ECRC",
        "UnsupReq",
        "ACSViol",
        "UncorrIntErr",
        "BlockedTLP",
        "AtomicOpBlocked",
        "TLPBlockedErr",
        "PoisonTLPBlocked",
        "TOTAL_ERR_FATAL",
    ),
}


def make(sys: str) -> None:
    seen = set()
    for device in devices():
        kind = layout()["kinds"][device.kind]
        folder = f"{sys}/devices/{device.path}"
        _device(folder, device, kind)
        files.link(f"{sys}/bus/pci/devices/{device.address}", f"../../../devices/{device.path}")
        files.link(f"{sys}/bus/pci/drivers/{kind['driver']}/{device.address}", f"../../../../devices/{device.path}")
        up = "../" * (device.path.count("/") + 2)
        files.link(f"{folder}/driver", f"{up}bus/pci/drivers/{kind['driver']}")
        files.link(f"{folder}/subsystem", f"{up}bus/pci")
        host = device.path.split("/")[0]
        if host not in seen:
            seen.add(host)
            files.put_all(f"{sys}/devices/{host}", {"uevent": ""}, 0o644)


def _device(folder: str, device: Device, kind: dict) -> None:
    speed = f"{SPEEDS[kind['generation']]} GT/s PCIe"
    files.put_all(
        folder,
        {
            "vendor": f"{kind['vendor']:#06x}",
            "device": f"{kind['device']:#06x}",
            "subsystem_vendor": f"{kind['subvendor']:#06x}",
            "subsystem_device": f"{kind['subdevice']:#06x}",
            "class": f"{kind['class']:#08x}",
            "revision": f"{kind['revision']:#04x}",
            "current_link_speed": speed,
            "max_link_speed": speed,
            "current_link_width": kind["lanes"],
            "max_link_width": kind["lanes"],
            "numa_node": device.numa,
            "local_cpulist": device.numa,
            "local_cpus": f"{1 << device.numa:x}",
            "enable": 1,
            "power_state": "D0",
            "irq": 16,
            "modalias": _alias(kind),
            "ari_enabled": 0,
            "uevent": f"DRIVER={kind['driver']}\nPCI_CLASS={kind['class']:X}\n"
            f"PCI_ID={kind['vendor']:04X}:{kind['device']:04X}\n"
            f"PCI_SUBSYS_ID={kind['subvendor']:04X}:{kind['subdevice']:04X}\nPCI_SLOT_NAME={device.address}",
            "resource": "\n".join(["0x0000000000000000 0x0000000000000000 0x0000000000000000"] * 7),
            **{name: "\n".join(f"{field} 0" for field in fields) for name, fields in NO_ERRORS.items()},
            "aer_dev_nonfatal": "\n".join(f"{field} 0" for field in NO_ERRORS["aer_dev_fatal"]).replace(
                "TOTAL_ERR_FATAL", "TOTAL_ERR_NONFATAL"
            ),
        },
    )
    files.put_all(folder, {"power/control": "auto", "power/runtime_status": "active"}, 0o644)
    files.put(f"{folder}/config", config(kind, device.buses), 0o644)
    if device.kind in ("adapter", "storage"):
        files.put_all(folder, {"sriov_numvfs": 0, "sriov_totalvfs": 16}, 0o644)


def _alias(kind: dict) -> str:
    code = f"{kind['class']:06X}"
    ids = f"v{kind['vendor']:08X}d{kind['device']:08X}sv{kind['subvendor']:08X}sd{kind['subdevice']:08X}"
    return f"pci:{ids}bc{code[:2]}sc{code[2:4]}i{code[4:]}"
