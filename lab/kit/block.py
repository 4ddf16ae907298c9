"""A node's local scratch: an XFS on a block device of 3.84 TB whose blocks are a sparse file in the lab's tmpfs. The
device is a loop device under the name of an NVMe disk, so the mount table reads as on such a node. It clears itself
when the mount goes, which is when the node does.

make      the device node and its /sys entries; None where this kernel has no loop devices
mount     once the root is entered
"""

import fcntl
import os
import stat
import struct
import subprocess
from pathlib import Path

from . import files
from .pcitree import devices

NAME, SIZE = "nvme1n1", 3_840_755_982_336
GET_FREE, CONFIGURE, AUTOCLEAR, MAJOR = 0x4C82, 0x4C0A, 4, 7


def make(root: Path, store: Path) -> int | None:
    backing = os.open(store / "disk", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    os.truncate(backing, SIZE)
    for _ in range(50):  # another lab or node may take the free one first
        device, number = _free(root / "dev" / NAME)
        if device is None:
            break
        try:
            fcntl.ioctl(
                device,
                CONFIGURE,
                bytes(struct.pack("<II5Q4I", backing, 4096, 0, 0, 0, 0, 0, 0, 0, 0, AUTOCLEAR).ljust(304, b"\0")),
            )
        except OSError:
            os.close(device)
            continue
        os.close(backing)
        _sysfs(str(root / "sys"), number)
        return device
    os.close(backing)
    return None


def _free(node: Path) -> tuple[int | None, int]:
    try:
        control = os.open("/dev/loop-control", os.O_RDWR | os.O_CLOEXEC)
        number = fcntl.ioctl(control, GET_FREE)
        os.close(control)
        node.unlink(missing_ok=True)
        os.mknod(node, stat.S_IFBLK | 0o660, os.makedev(MAJOR, number))
        return os.open(node, os.O_RDWR | os.O_CLOEXEC), number
    except OSError:
        node.unlink(missing_ok=True)
        return None, -1


def _sysfs(sys: str, number: int) -> None:
    disk = next(device for device in devices() if device.kind == "disk")
    controller = f"devices/{disk.path}/nvme/nvme1"
    files.put_all(
        f"{sys}/{controller}",
        {
            "model": "SAMSUNG MZWLO3T8HCLS-00A07",
            "serial": "S000000000000001",
            "firmware_rev": "OPPA4B5Q",
            "state": "live",
            "transport": "pcie",
            "numa_node": disk.numa,
        },
    )
    files.link(f"{sys}/{controller}/device", f"../../../{disk.address}")
    files.put_all(
        f"{sys}/{controller}/{NAME}",
        {
            "dev": f"{MAJOR}:{number}",
            "size": SIZE // 512,
            "ro": 0,
            "removable": 0,
            "queue/rotational": 0,
            "queue/scheduler": "[none] mq-deadline",
            "queue/logical_block_size": 4096,
            "queue/physical_block_size": 4096,
            "queue/nr_requests": 1023,
            "stat": "0 0 0 0 0 0 0 0 0 0 0",
            "range": 0,
        },
    )
    files.link(f"{sys}/{controller}/{NAME}/device", "../../nvme1")
    files.link(f"{sys}/class/nvme/nvme1", f"../../{controller}")
    for folder, up in (("block", "../"), ("class/block", "../../")):
        files.link(f"{sys}/{folder}/{NAME}", f"{up}{controller}/{NAME}")
    files.link(f"{sys}/dev/block/{MAJOR}:{number}", f"../../{controller}/{NAME}")


def mount(device: int) -> None:
    os.makedirs("/scratch")
    subprocess.run(["mkfs.xfs", "-q", "-K", "-m", "reflink=0", "-l", "size=64m", f"/dev/{NAME}"], check=True)
    subprocess.run(["mount", "-t", "xfs", "-o", "noatime", f"/dev/{NAME}", "/scratch"], check=True)
    os.chmod("/scratch", 0o1777)
    os.close(device)
