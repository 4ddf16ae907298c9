"""The process that a lab lives by.

It holds the namespaces that all else hangs on: the mount namespace with the machines' roots on one tmpfs, and the
network namespace that is the switch. Each machine is a child that is the first process of its own PID namespace and
asks to be killed when the keeper ends. So ending the keeper, in whatever way, ends every process, mount, namespace and
interface of the lab; nothing has to be undone one by one, and nothing can be forgotten.

keep       builds the machines, reports on a pipe, then waits for ever
"""

import json
import os
import select
import signal
import subprocess
import traceback

from . import control, keys, linux, machine, paths
from .cluster import Machine


def keep(name: str, members: list[Machine], layers: list[str], report: int, hold: int) -> None:
    """report: where the JSON of process ids goes; hold: a pipe whose end means that the caller is gone or content."""
    os.setsid()
    linux.set_process_name("assay-lab-keep")
    linux.unshare(linux.CLONE_NEWNS | linux.CLONE_NEWNET)
    linux.own_root(paths.run_dir(name) / "root")
    store = paths.run_dir(name) / "store"
    linux.mount("assay-lab", store, "tmpfs", 0, "mode=700,size=75%")
    keys.make(store / "keys", layers[-1], members)
    _switch()
    started = _start_all(name, members, layers, store, (report, hold))
    _cable(started)
    _bring_up(started)
    os.write(report, json.dumps({member.name: pid for member, (pid, _) in started.items()}).encode())
    os.close(report)
    _wait_for_leave(hold)
    while True:
        signal.pause()


def _switch() -> None:
    subprocess.run(
        ["ip", "-batch", "-"],
        input="link add lab0 type bridge\nlink set lab0 up\nlink set lo up\n",
        text=True,
        check=True,
    )


def _start_all(name, members, layers, store, not_theirs) -> dict:
    """unshare(CLONE_NEWPID) works once only; setns back to the own PID namespace makes it work again."""
    own = os.open("/proc/self/ns/pid", os.O_RDONLY)
    started = {}
    for member in members:
        ours, theirs = control.pair()
        linux.unshare(linux.CLONE_NEWPID)
        pid = os.fork()
        if pid == 0:
            ours.close()
            for descriptor in not_theirs:
                os.close(descriptor)
            _be(name, member, layers, store, theirs)
        theirs.close()
        linux.setns(own, linux.CLONE_NEWPID)
        started[member] = (pid, ours)
    os.close(own)
    return started


def _be(name, member, layers, store, channel) -> None:
    try:
        linux.die_with_parent(signal.SIGKILL)
        machine.run(name, member, layers, store, channel)
    except BaseException as error:
        traceback.print_exc()
        channel.send(f"{member.name} could not start: {error}")
    finally:
        os._exit(1)


def _cable(started: dict) -> None:
    """A veth pair per machine: one end on the switch, the other its eth0."""
    lines = []
    for member, (pid, channel) in started.items():
        channel.expect("namespaces")
        lines.append(f"link add port-{member.name} type veth peer name eth0 netns {pid}")
        lines.append(f"link set port-{member.name} master lab0 up")
    subprocess.run(["ip", "-batch", "-"], input="\n".join(lines) + "\n", text=True, check=True)
    for _, channel in started.values():
        channel.send("cabled")


def _bring_up(started: dict) -> None:
    """Nodes mount the head's /home and register with its controller, so the head comes first."""
    channels = {member: channel for member, (_, channel) in started.items()}
    next(channel for member, channel in channels.items() if member.role == "head").expect("ready")
    nodes = [channel for member, channel in channels.items() if member.role == "node"]
    for channel in nodes:
        channel.send("cluster")
    for channel in nodes:
        channel.expect("ready")


def _wait_for_leave(hold: int) -> None:
    """Until the caller has written down what it was told, its death is ours; afterwards we live on our own."""
    ready, _, _ = select.select([hold], [], [], 60)
    if not ready or os.read(hold, 1) != b"k":
        os._exit(1)
    linux.die_with_parent(0)
    os.close(hold)
