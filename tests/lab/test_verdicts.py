"""The truth of verdicts: a sound cluster gives neither fail nor warn; everything planted is found and nothing else said,
by ssh and by Slurm; and each fault by itself changes its own verdicts and no other."""
import unittest

import cluster
from kit import scoring, truth


def setUpModule():
    why_not = cluster.up()
    if why_not:
        raise unittest.SkipTest(why_not)


def tearDownModule():
    cluster.down()


def statuses(report):
    return {(v["check"], scoring.bare_subject(v["subject"])): v["status"] for v in report["verdicts"]}


def differences(before, after, node):
    """What changed that a fault on `node` may not change: a fail or warn come or gone, anywhere, and on other nodes any
    change at all. (On its own node a port that is gone takes its passes with it, and that is right.)"""
    changed = {key: (before.get(key), after.get(key)) for key in set(before) | set(after) if before.get(key) != after.get(key)}
    return {(check, subject): change for (check, subject), change in changed.items()
            if {"fail", "warn"} & set(change) or not (f"node/{node}" in subject or depends_on_load(check))}


def depends_on_load(check):
    """How sure a clock is compared hangs on how busy the machine under the lab is."""
    return check == "orchestration.time-skew"


class Verdicts(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.addCleanup(cluster.lab, "unplant", "--all")

    def assert_score(self, report, *args):
        said, status = cluster.score(report, *args)
        self.assertEqual((said["missed"], said["false"], status), ([], [], 0))
        return said

    def test_sound_by_ssh(self):
        self.assert_score(cluster.evaluate("ssh", "sound-ssh"), "--sound")

    def test_sound_by_slurm(self):
        self.assert_score(cluster.evaluate("slurm", "sound-slurm"), "--sound")

    def test_the_known_pieces_are_enough(self):
        self.assertGreaterEqual(len(truth.all_of("fault")), 30)
        self.assertGreaterEqual(len(truth.all_of("decoy")), 15)

    def test_all_planted(self):
        cluster.lab("plant", "--all")
        cluster.lab("decoy", "--all")
        for by in cluster.TARGETS:
            with self.subTest(by=by):
                said = self.assert_score(cluster.evaluate(by, f"all-{by}"))
                self.assertGreaterEqual(len(said["found"]), 30)

    def test_each_alone_changes_its_own_verdict(self):
        sound = cluster.evaluate("ssh", "alone-sound")
        before = statuses(sound)
        for name in truth.all_of("fault"):
            with self.subTest(fault=name):
                cluster.lab("plant", name)
                try:
                    report = cluster.evaluate("ssh", f"alone-{name}")
                    self.assert_score(report)
                finally:
                    cluster.lab("unplant", name)
                about = truth.read(name)
                own = about.expect + about.also
                strays = {key: change for key, change in differences(before, statuses(report), about.node).items()
                          if not any(claim.check == key[0] for claim in own)}
                self.assertEqual(strays, {})


if __name__ == "__main__":
    unittest.main()
