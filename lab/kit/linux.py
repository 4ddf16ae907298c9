"""The few system calls that Python 3.11 has no name for: namespaces, mounts, host name, parent-death signal.

unshare, setns           namespaces
mount, bind, umount      mounts
own_root                 mounts of our own, inside a chroot too
pivot                    make a folder the root and forget the old one
die_with_parent          ask for a signal when the parent ends
"""

import ctypes
import os

CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC = 0x20000, 0x2000000, 0x4000000, 0x8000000
CLONE_NEWPID, CLONE_NEWNET = 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND = 1, 2, 4, 8, 32, 4096
MS_REC, MS_PRIVATE = 16384, 1 << 18
MNT_DETACH = 2
PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15

_libc = ctypes.CDLL(None, use_errno=True)


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def unshare(flags: int) -> None:
    _check(_libc.unshare(flags), f"unshare {flags:#x}")


def setns(descriptor: int, kind: int = 0) -> None:
    _check(_libc.setns(descriptor, kind), "setns")


def mount(source: str, target, kind: str | None, flags: int = 0, data: str = "") -> None:
    as_bytes = lambda text: None if text is None else os.fsencode(text)
    result = _libc.mount(
        as_bytes(source), as_bytes(target), as_bytes(kind), ctypes.c_ulong(flags), as_bytes(data) or None
    )
    _check(result, f"mount {kind or 'bind'} {source} on {target}")


def bind(source, target, read_only: bool = False) -> None:
    mount(source, target, None, MS_BIND)
    if read_only:
        mount("none", target, None, MS_BIND | MS_REMOUNT | MS_RDONLY)


def umount(target, flags: int = MNT_DETACH) -> None:
    _check(_libc.umount2(os.fsencode(target), flags), f"umount {target}")


def private_mounts() -> None:
    mount("none", "/", None, MS_REC | MS_PRIVATE)


def own_root(spare) -> None:
    """Private mounts, also inside a chroot: what isn't a mount point can be neither made private nor left by
    pivot_root, so a copy of the tree that is one takes its place."""
    try:
        private_mounts()
    except OSError:
        os.makedirs(spare, exist_ok=True)
        mount("/", spare, None, MS_BIND | MS_REC)
        mount("none", spare, None, MS_REC | MS_PRIVATE)
        os.chroot(spare)
        os.chdir("/")


def pivot(new_root) -> None:
    """Stacking the old root on the new one needs no spare folder inside the new root."""
    os.chdir(new_root)
    _check(
        _libc.syscall(155, b".", b".") if os.uname().machine == "x86_64" else _libc.syscall(41, b".", b"."),
        "pivot_root",
    )
    umount(".")
    os.chdir("/")


def die_with_parent(signal: int) -> None:
    _check(_libc.prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0), "prctl")


def set_process_name(name: str) -> None:
    _check(_libc.prctl(PR_SET_NAME, os.fsencode(name), 0, 0, 0), "prctl")


def set_host_name(name: str) -> None:
    _check(_libc.sethostname(os.fsencode(name), len(name)), "sethostname")
