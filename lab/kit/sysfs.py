"""/sys of a machine: a tmpfs with what this kernel really has where that is the machine's own (its network interfaces,
its control groups), and a GPU node's hardware where the kernel has none.
"""

from pathlib import Path

from . import cgroups, files, linux, sysfs_cpu, sysfs_infiniband, sysfs_pci
from .pcitree import layout


def make(root: Path, member) -> None:
    sys = root / "sys"
    linux.mount("sysfs", sys, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC, "mode=755")
    sysfs_cpu.make(str(sys))
    _kernel(str(sys), member)
    if member.role == "node":
        sysfs_pci.make(str(sys))
        sysfs_infiniband.make(str(sys), member)
    else:
        for folder in ("bus/pci/devices", "class/infiniband"):
            (sys / folder).mkdir(parents=True)
    for folder in ("kernel/iommu_groups", "class/iommu"):  # no translation: peers reach each other directly
        (sys / folder).mkdir(parents=True)
    _network(sys)
    (sys / "fs/cgroup").mkdir(parents=True)
    cgroups.show(sys / "fs/cgroup")


def _kernel(sys: str, member) -> None:
    files.put_all(
        f"{sys}/kernel/mm/transparent_hugepage",
        {
            "enabled": "always [madvise] never",
            "defrag": "always defer defer+madvise [madvise] never",
            "shmem_enabled": "always within_size advise [never] deny force",
        },
        0o644,
    )
    files.put_all(f"{sys}/kernel/mm/hugepages/hugepages-2048kB", {"nr_hugepages": 0, "free_hugepages": 0}, 0o644)
    files.put_all(
        f"{sys}/devices/system/clocksource/clocksource0",
        {"current_clocksource": "tsc", "available_clocksource": "tsc hpet acpi_pm"},
    )
    files.put_all(
        f"{sys}/devices/virtual/dmi/id",
        {
            "sys_vendor": "Dell Inc.",
            "product_name": "PowerEdge XE9680" if member.role == "node" else "PowerEdge R660",
            "bios_vendor": "Dell Inc.",
            "bios_version": "2.6.3",
            "bios_date": "05/20/2026",
            "board_vendor": "Dell Inc.",
            "board_name": "0D6K9P",
            "chassis_type": 23,
        },
    )
    files.link(f"{sys}/class/dmi/id", "../../devices/virtual/dmi/id")
    if member.role == "node":
        for name, version in layout()["modules"].items():
            files.put_all(f"{sys}/module/{name}", {"version": version, "initstate": "live", "refcnt": 1})


def _network(sys: Path) -> None:
    """A fresh sysfs shows the interfaces of the namespace it is mounted in; only that part of it is kept."""
    real = sys.parent / "mnt"
    linux.mount("sysfs", real, "sysfs")
    for folder in ("class/net", "devices/virtual/net"):
        (sys / folder).mkdir(parents=True, exist_ok=True)
        linux.bind(real / folder, sys / folder)
    linux.umount(real)
