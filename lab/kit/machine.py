"""One machine of the lab, from its first process on.

run        takes namespaces, builds the root, changes into it, starts the services, then reaps orphans for ever
"""

import os
import resource
import subprocess
import time
from pathlib import Path

from . import block, cgroups, devices, linux, procfs, services, settings, sysfs
from .cluster import PATH


def run(lab, member, layers, store, channel) -> None:
    cgroups.join(lab, member.name)
    linux.unshare(
        linux.CLONE_NEWNS | linux.CLONE_NEWUTS | linux.CLONE_NEWIPC | linux.CLONE_NEWNET | linux.CLONE_NEWCGROUP
    )
    linux.private_mounts()
    linux.set_host_name(member.name)
    linux.set_process_name("init")
    channel.send("namespaces")

    root = _overlay(store / member.name, layers)
    settings.write(root, member, store)
    devices.make(root, member)
    sysfs.make(root, member)
    disk = block.make(root, store / member.name) if member.role == "node" else None
    procfs.make(root, member, store / member.name)
    for folder in ("run", "tmp"):
        linux.mount(
            folder,
            root / folder,
            "tmpfs",
            linux.MS_NOSUID | linux.MS_NODEV,
            "mode=1777" if folder == "tmp" else "mode=755",
        )
    linux.pivot(root)
    settings.prepare_run()
    _unlimit()

    os.environ.clear()
    os.environ.update(PATH=PATH, HOME="/root", LANG="C.UTF-8")
    if disk is not None:
        block.mount(disk)
    channel.expect("cabled")
    _addresses(member)
    services.start(member, channel)
    channel.send("ready")
    channel.close()
    _reap()


def _overlay(place: Path, layers: list[str]) -> Path:
    root = place / "root"
    for name in ("upper", "work", "root"):
        (place / name).mkdir(parents=True)
    linux.mount(
        "overlay", root, "overlay", 0, f"lowerdir={':'.join(layers)},upperdir={place}/upper,workdir={place}/work"
    )
    return root


def _addresses(member) -> None:
    lines = f"link set lo up\nlink set eth0 up\naddress add {member.address}/24 dev eth0\n"
    subprocess.run(["ip", "-batch", "-"], input=lines, text=True, check=True)


def _unlimit() -> None:
    """As systemd starts daemons on such a node. Where this is refused, the shim answers for it."""
    try:
        resource.setrlimit(resource.RLIMIT_MEMLOCK, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    except (ValueError, OSError):
        pass


def _reap() -> None:
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            time.sleep(0.2)
