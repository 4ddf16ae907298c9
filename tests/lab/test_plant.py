"""What is planted changes something, and taking it back leaves every machine as it was."""

import hashlib
import json
import os
import unittest
from pathlib import Path

from labs import call, fresh_name, needs_root, state

# What a fault may change; not what runs by itself there (logs, the scheduler's state, control groups, counters).
PLACES = (
    "etc",
    "dev",
    "boot",
    "lib/modules",
    "var/lib/dpkg",
    "var/lib/metrics",
    "root",
    "usr/sbin",
    "usr/bin",
    "usr/local",
    "sys/class",
    "sys/bus",
    "sys/devices",
    "sys/kernel",
    "sys/module",
    "proc/sys/kernel/numa_balancing",
    "proc/sys/vm/swappiness",
    "proc/cmdline",
    "proc/swaps",
    "proc/modules",
    "proc/driver",
    "proc/mounts",
)
PASSING = (
    "sys/class/net",
    "sys/devices/virtual/net",
    "dev/pts",
    "dev/shm",
    "etc/ld.so.cache",
    "root/.bash_history",
    "root/.cache",
)


def picture(root):
    """Path → kind, mode, owner and content of everything below PLACES."""
    found = {}
    for place in PLACES:
        top = root / place
        for folder, folders, names in os.walk(top) if top.is_dir() else [(str(top.parent), [], [top.name])]:
            inside = os.path.relpath(folder, root)
            folders[:] = [name for name in folders if f"{inside}/{name}" not in PASSING]
            for name in names + folders:
                if f"{inside}/{name}" not in PASSING:
                    found[f"{inside}/{name}"] = _entry(Path(folder, name))
    return found


def _entry(path):
    try:
        status = path.lstat()
        if path.is_symlink():
            content = os.readlink(path)
        elif path.is_file():
            content = hashlib.sha256(path.read_bytes()).hexdigest()
        else:
            content = str(status.st_rdev)
    except OSError as error:
        return f"{error.errno}"
    return f"{status.st_mode:o} {status.st_uid} {status.st_gid} {content}"


@needs_root
class Plant(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.name = fresh_name()
        cls.addClassCleanup(call, "down", "--name", cls.name)
        call("up", "--name", cls.name)
        cls.machines = state(cls.name)["machines"]
        cls.before = cls.pictures()

    @classmethod
    def pictures(cls, machines=None):
        return {name: picture(Path(f"/proc/{cls.machines[name]}/root")) for name in machines or cls.machines}

    def differences(self, *machines):
        """On these machines, or on all."""
        return [
            f"{machine}:{path}: {self.before[machine].get(path)} → {now.get(path)}"
            for machine, now in self.pictures(machines).items()
            for path in sorted(set(self.before[machine]) | set(now))
            if self.before[machine].get(path) != now.get(path)
        ]

    def plant(self, command, *arguments):
        return call(command, "--name", self.name, *arguments)

    def homes(self, *options):
        """What there is to plant, and where."""
        return [(one["name"], one["node"]) for one in json.loads(self.plant("list", "--json", *options).stdout)]

    def test_all_faults_and_decoys_together_and_back(self):
        self.assertEqual(self.differences(), [])
        self.plant("plant", "--all")
        self.plant("decoy", "--all")
        self.assertNotEqual(self.differences(), [])
        self.plant("unplant", "--all")
        self.assertEqual(self.differences(), [])
        self.assertEqual(self.plant("list", "--planted").stdout, "")

    def test_each_alone_and_back(self):
        for command, options in (("plant", []), ("decoy", ["--decoys"])):
            for name, home in self.homes(*options):
                with self.subTest(name):
                    self.plant(command, name)
                    self.plant("unplant", name)
                    self.assertEqual(self.differences(home), [])
        self.assertEqual(self.differences(), [])

    def test_a_second_time_is_refused(self):
        self.plant("plant", "umad-open")
        self.addCleanup(self.plant, "unplant", "umad-open")
        again = call("plant", "--name", self.name, "umad-open", check=False)
        self.assertIn("planted already", again.stderr)

    def test_on_another_node(self):
        self.plant("plant", "umad-open", "n4")
        self.assertEqual(os.stat(f"/proc/{self.machines['n4']}/root/dev/infiniband/umad0").st_mode & 0o777, 0o666)
        self.plant("unplant", "umad-open")
        self.assertEqual(self.differences(), [])

    def test_what_there_is_none_of(self):
        for arguments in (["no-such-fault"], ["umad-open", "n9"]):
            done = call("plant", "--name", self.name, *arguments, check=False)
            self.assertIn("expected", done.stderr)
            self.assertNotIn("Traceback", done.stderr)
        self.assertEqual(self.differences(), [])


if __name__ == "__main__":
    unittest.main()
