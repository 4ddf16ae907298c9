"""Labs for tests: brought up once, taken down at the end, and what of them a machine shows from outside."""

import json
import os
import random
import subprocess
import unittest
from pathlib import Path

LAB = Path(__file__).resolve().parents[2] / "lab"


def call(command, *arguments, check=True, seconds=300):
    done = subprocess.run(
        [LAB / command, *map(str, arguments)], capture_output=True, text=True, timeout=seconds, stdin=subprocess.DEVNULL
    )
    if check and done.returncode != 0:
        raise AssertionError(
            f"lab/{command} {' '.join(map(str, arguments))} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
        )
    return done


def fresh_name():
    return f"test-{os.getpid()}-{random.randrange(10000)}"


def needs_root(test):
    return unittest.skipUnless(os.geteuid() == 0, "a lab needs root")(test)


def state(name):
    return json.loads(Path(f"/run/assay-lab/{name}/lab.json").read_text())


def traces(name):
    """What of a lab can be seen from outside: processes, mounts, interfaces, groups, loop devices, its folder."""
    found = [f"process {entry}" for entry in os.listdir("/proc") if entry.isdigit() and _holds(entry, name)]
    found += [f"mount {line}" for line in Path("/proc/self/mountinfo").read_text().splitlines() if f"/{name}/" in line]
    found += [f"group {group}" for group in Path("/sys/fs/cgroup").glob(f"**/assay-lab-{name}")]
    found += [f"folder {entry}" for entry in Path("/run/assay-lab").glob(f"*{name}*")]
    links = subprocess.run(["ip", "-brief", "link"], capture_output=True, text=True).stdout
    found += [f"interface {line}" for line in links.splitlines() if "lab0" in line or line.startswith("port-")]
    return found


def _holds(pid, name):
    """All processes of a lab live in mount namespaces that have its store, or stand on its overlay."""
    try:
        return f"/run/assay-lab/{name}/store" in Path(f"/proc/{pid}/mountinfo").read_text()
    except OSError:
        return False
