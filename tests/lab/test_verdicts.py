"""Assay on the lab, by ssh and by Slurm: nothing said of the sound cluster, everything found with all faults planted
among all decoys, and each alone changes its own verdict and no other's.

The product is what the build that is tested installs (tests/where.py). ASSAY_LAB_ONLY=name,name limits the last test to these.
"""

import json
import os
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from labs import LAB, call, fresh_name, needs_root, state
from where import build_folder

sys.path.insert(0, str(LAB))
from kit import scoring, sound, truth  # noqa: E402

# A loaded machine may read a clock too late to say: these are asked again. What else is there stays there.
OF_CLOCKS = {"orchestration.time-skew", "orchestration.clock-synchronized"}
WAYS = {"ssh": ["--ssh", "n[1-4]", "--login"], "slurm": ["--slurm"]}


@needs_root
class Verdicts(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.name = fresh_name()
        cls.addClassCleanup(call, "down", "--name", cls.name)
        call("up", "--name", cls.name)
        with tempfile.TemporaryDirectory() as prefix:
            install = ["cmake", "--install", build_folder(), "--prefix", prefix]
            subprocess.run(install, cwd=LAB.parent, check=True, stdout=subprocess.DEVNULL)
            call("install", "--name", cls.name, "--native-agent", prefix)
        cls.head = Path(f"/proc/{state(cls.name)['machines']['head']}/root")

    def evaluate(self, way):
        """A run's folder, as seen from here."""
        run = f"run-{way}-{len(list((self.head / 'root').glob('run-*')))}"
        done = call(
            "exec",
            "--name",
            self.name,
            "head",
            "sh",
            "-c",
            f"cd /root && exec assay evaluate --out {run} {shlex.join(WAYS[way])}",
            check=False,
        )
        report = self.head / "root" / run
        self.assertTrue(
            (report / "report.json").exists(),
            f"evaluate by {way} ended with {done.returncode} and no report:\n{(done.stdout + done.stderr)[-4000:]}",
        )
        return report

    def score(self, way, *options):
        done = call("score", "--name", self.name, "--json", *options, self.evaluate(way), check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return json.loads(done.stdout)

    def assert_scored(self, result):
        self.assertEqual((result["missed"], result["false"]), ([], []))

    def test_there_is_enough_to_plant(self):
        self.assertGreaterEqual(len(truth.all_of("fault")), 30)
        self.assertGreaterEqual(len(truth.all_of("decoy")), 15)

    def test_nothing_is_said_of_the_sound_cluster(self):
        for way in WAYS:
            with self.subTest(way):
                strangers = sound.strangers(sound.read(), scoring.read_report(self.evaluate(way)))
                self.assertEqual(strangers, [])

    def test_all_is_found_with_everything_planted(self):
        self.addCleanup(call, "unplant", "--name", self.name, "--all")
        call("plant", "--name", self.name, "--all")
        call("decoy", "--name", self.name, "--all")
        for way in WAYS:
            with self.subTest(way):
                result = self.score(way)
                self.assert_scored(result)
                self.assertEqual(len(result["found"]), result["planted"])

    def test_each_alone_changes_its_own_verdict_only(self):
        before = scoring.read_report(self.evaluate("ssh"))
        only = os.environ.get("ASSAY_LAB_ONLY", "").split(",")
        for command, kind in (("plant", "fault"), ("decoy", "decoy")):
            for name in [name for name in truth.all_of(kind) if name in only or only == [""]]:
                with self.subTest(name):
                    self.assert_alone(command, name, before)

    def assert_alone(self, command, name, before):
        call(command, "--name", self.name, name)
        try:
            wrong = self.wrong(name, before)
            if wrong and all(one["check"] in OF_CLOCKS for one in wrong):
                wrong = self.wrong(name, before)
        finally:
            call("unplant", "--name", self.name, name)
        self.assertEqual(wrong, [])

    def wrong(self, name, before):
        about = truth.read(name)
        now = scoring.read_report(self.evaluate("ssh"))
        result = scoring.score([about], now)
        return result["missed"] + result["false"] + scoring.strays(about, before, now)


if __name__ == "__main__":
    unittest.main()
