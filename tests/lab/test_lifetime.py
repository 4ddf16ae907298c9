"""A lab comes up, works, and leaves nothing behind, however it ends."""

import os
import random
import signal
import subprocess
import time
import unittest

from labs import LAB, call, fresh_name, needs_root, state, traces


def until(what, seconds=10):
    end = time.monotonic() + seconds
    while not what() and time.monotonic() < end:
        time.sleep(0.05)
    return what()


@needs_root
class Lifetime(unittest.TestCase):
    def setUp(self):
        self.name = fresh_name()
        self.addCleanup(call, "down", "--name", self.name)

    def up(self, nodes=2, name=None):
        return call("up", "--nodes", nodes, "--name", name or self.name)

    def exec(self, *command, name=None):
        return call("exec", "--name", name or self.name, *command).stdout

    def assert_gone(self):
        self.assertEqual(traces(self.name), [])

    def test_it_is_a_cluster(self):
        self.up()
        self.assertEqual(self.exec("head", "sinfo", "-h", "-o", "%D %T").split(), ["2", "idle"])
        self.assertEqual(sorted(self.exec("head", "srun", "-N2", "--gres=gpu:8", "hostname").split()), ["n1", "n2"])
        self.assertEqual(self.exec("head", "ssh", "n2", "hostname").strip(), "n2")
        self.exec("n1", "touch", "/home/ada/seen")
        self.assertIn("seen", self.exec("n2", "ls", "/home/ada"))
        self.assertIn("head:/export/home", self.exec("n2", "grep", " /home ", "/proc/self/mountinfo"))
        call("down", "--name", self.name)
        self.assert_gone()

    def test_a_job_sees_the_gpus_that_it_was_given(self):
        self.up(nodes=1)
        script = "for n in 0 1 2; do head -c1 /dev/nvidia$n 2>&1 | cut -d: -f3; done"
        said = self.exec("head", "srun", "-N1", "--gres=gpu:2", "sh", "-c", script).splitlines()
        self.assertEqual(
            [line.strip() for line in said], ["No such device or address"] * 2 + ["Operation not permitted"]
        )

    def test_jobs_are_accounted(self):
        self.up(nodes=1)
        self.exec("head", "srun", "-N1", "true")
        self.assertTrue(
            until(lambda: "COMPLETED" in self.exec("head", "sacct", "-a", "-X", "-n", "-S", "now-1hour", "-o", "state"))
        )

    def test_two_at_once(self):
        other = fresh_name()
        self.addCleanup(call, "down", "--name", other)
        self.up(nodes=1)
        self.up(nodes=1, name=other)
        self.exec("n1", "touch", "/root/mine")
        self.assertNotIn("mine", self.exec("n1", "ls", "/root", name=other))
        call("down", "--name", other)
        self.assertEqual(self.exec("n1", "hostname").strip(), "n1")

    def test_up_twice_is_refused_with_words(self):
        self.up(nodes=1)
        again = call("up", "--name", self.name, check=False)
        self.assertNotEqual(again.returncode, 0)
        self.assertIn("is there already", again.stderr)
        self.assertEqual(self.exec("n1", "hostname").strip(), "n1")

    def test_its_keeper_killed(self):
        self.up()
        os.kill(state(self.name)["keeper"], signal.SIGKILL)
        machines = state(self.name)["machines"].values()
        self.assertTrue(until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in machines)))
        refused = call("exec", "--name", self.name, "n1", "true", check=False)
        self.assertIn("has ended", refused.stderr)
        call("down", "--name", self.name)
        self.assert_gone()

    def test_up_killed_half_way(self):
        for _ in range(6):
            starting = subprocess.Popen([LAB / "up", "--nodes", "2", "--name", self.name], stderr=subprocess.DEVNULL)
            time.sleep(random.uniform(0.05, 2.5))
            starting.kill()
            starting.wait()
            call("down", "--name", self.name)
            self.assert_gone()
        self.up(nodes=1)

    def test_down_of_nothing_is_fine(self):
        call("down", "--name", self.name)
        self.assert_gone()

    def test_bad_calls(self):
        for arguments in (
            ["up", "--name", "No Good"],
            ["up", "--nodes", "0"],
            ["exec", "--name", self.name, "n1", "true"],
            ["plant", "--name", self.name, "umad-open"],
            ["plant"],
            ["score", "/nowhere"],
        ):
            with self.subTest(arguments):
                done = call(*arguments, check=False)
                self.assertNotEqual(done.returncode, 0)
                self.assertNotIn("Traceback", done.stderr)
                self.assertRegex(done.stderr, "expected|lab: no lab")


if __name__ == "__main__":
    unittest.main()
