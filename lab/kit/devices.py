"""/dev of a machine: a small tmpfs with the usual nodes, and those that a GPU node has by its drivers.

The drivers' nodes are real character devices with the real numbers and modes; nothing answers behind them (ENXIO),
so they serve for looking at modes and for Slurm's device constraint. /dev/kmsg is a file in that device's record
format, so that each machine has a kernel log of its own.
"""

import os
import stat
from pathlib import Path

from . import files, linux, paths

USUAL = {"null": (1, 3), "zero": (1, 5), "full": (1, 7), "random": (1, 8), "urandom": (1, 9), "tty": (5, 0)}
NVIDIA, INFINIBAND = 195, 231
GPUS, ADAPTERS = 8, 9


def make(root: Path, member) -> None:
    dev = root / "dev"
    linux.mount("dev", dev, "tmpfs", linux.MS_NOSUID, "mode=755")
    for name, (major, minor) in USUAL.items():
        char(dev / name, major, minor, 0o666)
    char(dev / "fuse", 10, 229, 0o666)
    (dev / "pts").mkdir()
    linux.mount("devpts", dev / "pts", "devpts", linux.MS_NOSUID | linux.MS_NOEXEC, "newinstance,mode=620,ptmxmode=666")
    (dev / "shm").mkdir()
    linux.mount("shm", dev / "shm", "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, "mode=1777")
    for name, target in {
        "ptmx": "pts/ptmx",
        "fd": "/proc/self/fd",
        "stdin": "/proc/self/fd/0",
        "stdout": "/proc/self/fd/1",
        "stderr": "/proc/self/fd/2",
    }.items():
        (dev / name).symlink_to(target)
    files.put(
        dev / "kmsg",
        (paths.LAB / f"data/kmsg-{member.role}.txt").read_text().replace("@KERNEL@", os.uname().release),
        0o644,
    )
    if member.role == "node":
        _gpus(dev)
        _infiniband(dev)


def _gpus(dev: Path) -> None:
    for number in range(GPUS):
        char(dev / f"nvidia{number}", NVIDIA, number, 0o666)
    char(dev / "nvidiactl", NVIDIA, 255, 0o666)
    char(dev / "nvidia-modeset", NVIDIA, 254, 0o666)
    char(dev / "nvidia-uvm", 508, 0, 0o666)
    char(dev / "nvidia-uvm-tools", 508, 1, 0o666)
    (dev / "nvidia-caps").mkdir()
    char(dev / "nvidia-caps/nvidia-cap1", 511, 1, 0o400)
    char(dev / "nvidia-caps/nvidia-cap2", 511, 2, 0o444)


def _infiniband(dev: Path) -> None:
    (dev / "infiniband").mkdir()
    for number in range(ADAPTERS):
        char(dev / f"infiniband/umad{number}", INFINIBAND, number, 0o600)
        char(dev / f"infiniband/issm{number}", INFINIBAND, 64 + number, 0o600)
        char(dev / f"infiniband/uverbs{number}", INFINIBAND, 192 + number, 0o666)
    char(dev / "infiniband/rdma_cm", 10, 58, 0o666)


def char(path: Path, major: int, minor: int, mode: int) -> None:
    os.mknod(path, stat.S_IFCHR | mode, os.makedev(major, minor))
    os.chmod(path, mode)
