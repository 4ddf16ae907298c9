"""/etc and the like of a machine: the templates under etc/ filled in, and what differs from machine to machine.

write          before the root is entered
prepare_run    the folders that daemons want in /run, once it is a fresh tmpfs
"""

import os
import shutil
from pathlib import Path

from . import fabric, files, linux, metrics, paths, scenario
from .base import LIBRARIES
from .cluster import machines


def write(root: Path, member, store: Path) -> None:
    for part in ("common", member.role):
        files.fill(paths.LAB / "etc" / part, root, member.words)
    names = "".join(f"{one.address} {one.name}\n" for one in machines(member.nodes))
    files.put(root / "etc/hosts", f"127.0.0.1 localhost\n{names}")
    files.put(root / "etc/hostname", f"{member.name}\n")
    files.put(root / "etc/resolv.conf", "search lab\n")
    files.put(root / "etc/slurm/topology.conf", topology(member.node_names))
    files.put(root / "etc/ld.so.preload", f"/{LIBRARIES}/libassay-lab-shim.so\n")
    _keys(root, member, store / "keys")
    _kernel(root)
    _owned(root)
    if member.role == "head":
        _homes(root, store / "keys")
        files.put(root / "etc/opensm/fabric.net", fabric.net(member.nodes))
        (root / LIBRARIES / "libnvidia-ml.so.1").unlink()  # the head has no GPU, so no driver
    else:
        files.put(root / "etc/assay-lab/gpus.conf", scenario.text(member))
        files.put(root / "var/lib/metrics/node.prom", metrics.node(member))
        files.put(root / "var/lib/metrics/dcgm.prom", metrics.dcgm(member))


def topology(names: list[str]) -> str:
    """Two nodes to a leaf switch; the spine above them when there is more than one."""
    leaves = [names[at : at + 2] for at in range(0, len(names), 2)]
    lines = [f"SwitchName=leaf{number} Nodes={','.join(leaf)}" for number, leaf in enumerate(leaves, 1)]
    if len(leaves) > 1:
        lines.append(f"SwitchName=spine Switches={','.join(f'leaf{number}' for number in range(1, len(leaves) + 1))}")
    return "\n".join(lines) + "\n"


def _keys(root: Path, member, keys: Path) -> None:
    _copy(keys / "munge.key", root / "etc/munge/munge.key", 0o400, owner(root, "munge"))
    _copy(keys / f"host-{member.name}", root / "etc/ssh/ssh_host_ed25519_key", 0o600)
    _copy(keys / "known_hosts", root / "etc/ssh/ssh_known_hosts", 0o644)
    _copy(keys / "user", root / "root/.ssh/id_ed25519", 0o600)
    _copy(keys / "user.pub", root / "root/.ssh/authorized_keys", 0o600)
    (root / "root/.ssh").chmod(0o700)


def _copy(source: Path, target: Path, mode: int, who: tuple[int, int] = (0, 0)) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(mode)
    os.chown(target, *who)


def _kernel(root: Path) -> None:
    """The kernel that runs counts as installed, by file and by package: what a sound machine shows."""
    release = os.uname().release
    files.put(root / f"boot/vmlinuz-{release}", "")
    files.put(root / f"boot/config-{release}", "")
    (root / "lib/modules" / release).mkdir(parents=True, exist_ok=True)
    packages = (
        (paths.LAB / "data/packages.txt")
        .read_text()
        .replace("@KERNEL@", release)
        .replace("@KERNEL_VERSION@", release.split("-")[0])
    )
    with open(root / "var/lib/dpkg/status", "a") as status:
        status.write(packages)


def _owned(root: Path) -> None:
    for folder, user in {
        "var/lib/slurm/slurmctld": "slurm",
        "var/log/slurm": "slurm",
        "var/lib/slurm/slurmd": "root",
    }.items():
        (root / folder).mkdir(parents=True, exist_ok=True)
        os.chown(root / folder, *owner(root, user))
    database = root / "etc/slurm/slurmdbd.conf"
    if database.exists():
        os.chown(database, *owner(root, "slurm"))
        database.chmod(0o600)


def _homes(root: Path, keys: Path) -> None:
    """The head exports /export/home and has it as /home itself, so that paths are the same everywhere."""
    home = root / "export/home/ada"
    home.mkdir(parents=True)
    _copy(keys / "user", home / ".ssh/id_ed25519", 0o600, (1000, 1000))
    _copy(keys / "user.pub", home / ".ssh/authorized_keys", 0o600, (1000, 1000))
    (home / ".ssh").chmod(0o700)
    os.chown(home / ".ssh", 1000, 1000)
    os.chown(home, 1000, 1000)
    home.chmod(0o700)
    linux.bind(root / "export/home", root / "home")


def owner(root: Path, user: str) -> tuple[int, int]:
    for line in (root / "etc/passwd").read_text().splitlines():
        name, _, uid, gid = line.split(":")[:4]
        if name == user:
            return int(uid), int(gid)
    raise KeyError(f"no user {user} in {root}/etc/passwd")


def prepare_run() -> None:
    top = Path("/")
    for folder, user, mode in (
        ("run/munge", "munge", 0o755),
        ("run/slurm", "slurm", 0o755),
        ("run/sshd", "root", 0o755),
        ("run/mysqld", "mysql", 0o755),
        ("run/chrony", "_chrony", 0o750),
        ("run/lock", "root", 0o1777),
    ):
        (top / folder).mkdir(parents=True, exist_ok=True)
        (top / folder).chmod(mode)
        os.chown(top / folder, *owner(top, user))
