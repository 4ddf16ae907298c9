"""What may be said of the sound lab: a build that knows nothing doesn't pass for one that finds nothing."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lab"))
from kit import scoring, sound  # noqa: E402

SOUND = """
passes: 2
unknown: []
not_applicable: [{check: a.kubelet, subject: "*", why: no Kubernetes}]
"""


def said(*statuses, kubelet="not_applicable"):
    verdicts = [scoring.Verdict("a.b", f"node/n{number}", status) for number, status in enumerate(statuses)]
    return verdicts + [scoring.Verdict("a.kubelet", "node/n1", kubelet)]


class Sound(unittest.TestCase):
    def strangers(self, *statuses, **more):
        return sound.strangers(sound.parse(SOUND), said(*statuses, **more))

    def test_passes_and_what_is_listed(self):
        self.assertEqual(self.strangers("pass", "pass"), [])

    def test_whatever_else_is_said(self):
        for status in ("unknown", "not_applicable", "warn", "fail"):
            with self.subTest(status):
                self.assertEqual(len(self.strangers("pass", "pass", status)), 1)

    def test_unknown_of_everything(self):
        self.assertEqual(len(self.strangers("unknown", "unknown", kubelet="unknown")), 3 + 1 + 1)

    def test_silence(self):
        self.assertEqual(self.strangers("pass"), ["expected 2 passes or more, got 1"])

    def test_a_listed_one_that_is_not_said(self):
        self.assertIn("no Kubernetes", self.strangers("pass", "pass", kubelet="pass")[0])

    def test_slips_are_refused(self):
        for wrong in (
            "",
            "[]",
            "a: [",
            SOUND.replace("passes: 2", "passes: many"),
            SOUND.replace("passes: 2", ""),
            SOUND.replace("unknown:", "unknowns:"),
            SOUND.replace(", why: no Kubernetes", ""),
            SOUND.replace("a.kubelet", "[]"),
        ):
            with self.subTest(wrong), self.assertRaises(sound.BadSound):
                sound.parse(wrong)

    def test_the_labs_own_list_reads(self):
        self.assertGreater(sound.read().passes, 800)


if __name__ == "__main__":
    unittest.main()
