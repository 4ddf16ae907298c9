"""Bringing a lab up and down.

up       builds the base if needed, starts the keeper, writes down what it says, then waits for Slurm to be idle
down     kills the keeper (all else follows), then removes the groups and the folder
known    the names of labs that have a folder here
"""

import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time

from . import base, cgroups, cluster, keeper, linux, paths
from .lab import Lab, alive

PATIENCE = 90


def say(text: str) -> None:
    print(f"lab: {text}", file=sys.stderr, flush=True)


def known() -> list[str]:
    return sorted(entry.name for entry in paths.RUN.iterdir() if entry.is_dir()) if paths.RUN.is_dir() else []


def up(name: str, nodes: int) -> None:
    if os.geteuid() != 0:
        raise SystemExit(
            "lab: expected to be root (namespaces and mounts are made), got user id %d; try sudo" % os.geteuid()
        )
    members = cluster.machines(nodes)
    layers = [str(base.layer()), str(base.base_root(say))]
    started = time.monotonic()
    folder = paths.run_dir(name)
    with _alone(name):
        if (folder / "keeper.pid").exists():
            raise SystemExit(f"lab: a lab {name!r} is there already ({folder}); lab/down --name {name} takes it away")
        for part in ("store", "log", "planted"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        (folder / "layers").write_text(":".join(layers))
        try:
            _start(name, members, layers, folder)
            _await_slurm(Lab.of(name))
        except BaseException:
            _down(name)
            raise
    say(f"{name} is up: {', '.join(member.name for member in members)}; took {time.monotonic() - started:.1f} s")


def _alone(name: str):
    paths.RUN.mkdir(parents=True, exist_ok=True)
    lock = open(paths.RUN / f".{name}.lock", "w")
    fcntl.lockf(lock, fcntl.LOCK_EX)  # unlike flock, not inherited by the keeper
    return lock


def _start(name, members, layers, folder) -> None:
    report, report_end = os.pipe()
    hold_end, hold = os.pipe()
    parent = os.getpid()
    keeper_pid = os.fork()
    if keeper_pid == 0:
        os.close(report)
        os.close(hold)
        linux.die_with_parent(signal.SIGKILL)
        _detach(folder / "log/keeper")
        if os.getppid() == parent:
            _keep(name, members, layers, report_end, hold_end)
        os._exit(1)
    os.close(report_end)
    os.close(hold_end)
    (folder / "keeper.pid").write_text(str(keeper_pid))
    said = _read_all(report)
    if not said:
        text = (folder / "log/keeper").read_text().strip()
        raise SystemExit(f"lab: {name} did not come up:\n{text}")
    (folder / "lab.json").write_text(json.dumps({"keeper": keeper_pid, "machines": json.loads(said)}))
    os.write(hold, b"k")
    os.close(hold)


def _keep(name, members, layers, report, hold) -> None:
    try:
        keeper.keep(name, members, layers, report, hold)
    except BaseException as error:
        print(error, file=sys.stderr, flush=True)
        os._exit(1)


def _detach(log) -> None:
    """Nothing of the caller's terminal is held: a pipe that reads lab/up's output must see it end."""
    null = os.open("/dev/null", os.O_RDWR)
    out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    for target, source in ((0, null), (1, out), (2, out)):
        os.dup2(source, target)
    os.close(null)
    os.close(out)


def _read_all(descriptor: int) -> bytes:
    said = b""
    until = time.monotonic() + PATIENCE
    while select.select([descriptor], [], [], max(0, until - time.monotonic()))[0]:
        part = os.read(descriptor, 65536)
        if not part:
            break
        said += part
    os.close(descriptor)
    return said


def _await_slurm(lab: Lab) -> None:
    until = time.monotonic() + 30
    while True:
        call = lab.enter("head", ["sinfo", "-h", "-N", "-o", "%T"])
        states = subprocess.run(call, capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout.split()
        if states == ["idle"] * len(lab.nodes):
            return
        if time.monotonic() > until:
            raise SystemExit(
                f"lab: expected {len(lab.nodes)} idle nodes in Slurm within 30 s, got {states or 'no answer'}"
            )
        time.sleep(0.1)


def down(name: str) -> None:
    with _alone(name):
        _down(name)
    (paths.RUN / f".{name}.lock").unlink(missing_ok=True)


def _down(name: str) -> None:
    folder = paths.run_dir(name)
    for pid in _keepers(name):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    left = cgroups.remove(name)
    if left:
        raise SystemExit(f"lab: these groups still hold processes after the lab was ended: {', '.join(left)}")
    shutil.rmtree(folder, ignore_errors=True)


def _keepers(name: str) -> list[int]:
    """By what they hold, not by a file alone: the file may be gone, or its number another process's by now."""
    return [int(entry) for entry in os.listdir("/proc") if entry.isdigit() and alive(int(entry), name)]
