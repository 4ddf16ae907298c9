"""lab/score: what counts as found, missed and false, and what it refuses."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

LAB = Path(__file__).resolve().parents[2] / "lab"
sys.path.insert(0, str(LAB))
from kit import scoring, truth  # noqa: E402

OPEN = """
what: umad0 is open to all on n2.
node: n2
expect: [{check: security.umad-closed, subject: node/n2, status: fail}]
also: [{check: security.other, subject: node/n2, status: warn}]
"""
LOST = """
what: A GPU fell off the bus of n1.
node: n1
expect: [{check: reliability.xid-none, subject: node/n1, status: [warn, fail], descendant: true}]
"""
HARMLESS = """
what: XID 43 is an application's own.
node: n1
expect: [{check: reliability.xid-none, subject: node/n1, status: pass}]
expect_not: [{check: reliability.xid-none, status: [fail, unknown]}]
"""


def verdict(check, subject, status):
    return scoring.Verdict(check, scoring.bare_subject(subject), status, "because")


class Score(unittest.TestCase):
    def setUp(self):
        self.open = truth.parse("open", "fault", OPEN)
        self.lost = truth.parse("lost", "fault", LOST)
        self.harmless = truth.parse("harmless", "decoy", HARMLESS)

    def test_a_fault_is_found_by_its_own_verdict(self):
        got = scoring.score([self.open], [verdict("security.umad-closed", "cluster/x/node/n2", "fail")])
        self.assertEqual(got, {"planted": 1, "decoys": 0, "found": ["open"], "missed": [], "false": []})

    def test_another_node_is_a_miss_and_a_false_verdict(self):
        got = scoring.score([self.open], [verdict("security.umad-closed", "cluster/x/node/n3", "fail")])
        self.assertEqual([miss["planted"] for miss in got["missed"]], ["open"])
        self.assertEqual([wrong["subject"] for wrong in got["false"]], ["node/n3"])

    def test_below_the_subject_counts_only_where_said(self):
        below = [verdict("security.umad-closed", "cluster/x/node/n2/device/umad0", "fail")]
        self.assertEqual(len(scoring.score([self.open], below)["missed"]), 1)
        gpu = [verdict("reliability.xid-none", "cluster/x/node/n1/gpu/0", "warn")]
        self.assertEqual(scoring.score([self.lost], gpu)["found"], ["lost"])

    def test_a_longer_name_is_no_descendant(self):
        got = scoring.score([self.lost], [verdict("reliability.xid-none", "cluster/x/node/n11", "fail")])
        self.assertEqual(len(got["missed"]), 1)
        self.assertEqual(len(got["false"]), 1)

    def test_unknown_is_a_miss_but_not_false(self):
        got = scoring.score([self.open], [verdict("security.umad-closed", "cluster/x/node/n2", "unknown")])
        self.assertEqual(got["missed"][0]["got"], ["unknown"])
        self.assertEqual(got["false"], [])

    def test_a_side_effect_is_allowed_but_not_asked_for(self):
        fail = verdict("security.umad-closed", "cluster/x/node/n2", "fail")
        self.assertEqual(scoring.score([self.open], [fail])["missed"], [])
        self.assertEqual(
            scoring.score([self.open], [fail, verdict("security.other", "cluster/x/node/n2", "warn")])["false"], []
        )
        worse = scoring.score([self.open], [fail, verdict("security.other", "cluster/x/node/n2", "fail")])
        self.assertEqual(len(worse["false"]), 1)

    def test_a_star_stands_for_every_check(self):
        dead = truth.parse(
            "dead",
            "fault",
            OPEN.replace("security.other, subject: node/n2, status: warn", "'*', subject: node/n2, status: unknown"),
        )
        self.assertTrue(dead.also[0].speaks_of("any.check", "node/n2"))
        self.assertFalse(dead.also[0].speaks_of("any.check", "node/n3"))

    def test_nothing_planted_makes_every_fail_and_warn_false(self):
        got = scoring.score([], [verdict("a.b", "cluster/x", "warn"), verdict("a.b", "cluster/x/node/n1", "pass")])
        self.assertEqual([wrong["subject"] for wrong in got["false"]], [""])

    def test_a_decoy_must_be_passed_and_nothing_forbidden_said(self):
        good = scoring.score([self.harmless], [verdict("reliability.xid-none", "cluster/x/node/n1", "pass")])
        self.assertEqual((good["planted"], good["decoys"], good["missed"], good["false"]), (0, 1, [], []))
        unknown = scoring.score([self.harmless], [verdict("reliability.xid-none", "cluster/x/node/n1", "unknown")])
        self.assertEqual((len(unknown["missed"]), unknown["false"][0]["decoy"]), (1, "harmless"))
        fail = scoring.score([self.harmless], [verdict("reliability.xid-none", "cluster/x/node/n1", "fail")])
        self.assertEqual((len(fail["missed"]), len(fail["false"])), (1, 1))

    def test_every_claim_of_a_fault_must_be_met(self):
        both = truth.parse(
            "both",
            "fault",
            OPEN.replace("also:", "expect_not: []\nalso:").replace(
                "status: fail}]", "status: fail}, {check: a.c, subject: '', status: fail}]", 1
            ),
        )
        got = scoring.score([both], [verdict("security.umad-closed", "cluster/x/node/n2", "fail")])
        self.assertEqual((got["found"], [miss["check"] for miss in got["missed"]]), ([], ["a.c"]))


class Strays(unittest.TestCase):
    SOUND = [verdict("security.umad-closed", "cluster/x/node/n2", "pass"), verdict("a.b", "cluster/x", "pass")]

    def strays(self, *now, text=OPEN):
        got = scoring.strays(truth.parse("open", "fault", text), self.SOUND, list(now))
        return [(one["check"], one["was"], one["now"]) for one in got]

    def test_its_own_verdict_is_none(self):
        fail = verdict("security.umad-closed", "cluster/x/node/n2", "fail")
        self.assertEqual(self.strays(fail, self.SOUND[1]), [])
        self.assertEqual(len(self.strays(self.SOUND[1])), 1)

    def test_another_status(self):
        self.assertEqual(self.strays(self.SOUND[0], verdict("a.b", "cluster/x", "unknown")), [("a.b", "pass", "unknown")])

    def test_one_that_went(self):
        self.assertEqual(self.strays(self.SOUND[0]), [("a.b", "pass", "gone")])
        allowed = OPEN.replace("also: [", "also: [{check: a.b, subject: '', status: gone}, ")
        self.assertEqual(self.strays(self.SOUND[0], text=allowed), [])

    def test_one_that_came(self):
        self.assertEqual(self.strays(*self.SOUND, verdict("a.c", "cluster/x", "pass")), [("a.c", None, "pass")])


class Truths(unittest.TestCase):
    def test_another_node_takes_the_default_ones_place(self):
        moved = truth.parse("open", "fault", OPEN, "n4")
        self.assertEqual((moved.node, moved.expect[0].subject), ("n4", "node/n4"))

    def test_slips_are_refused(self):
        for wrong in (
            OPEN.replace("expect:", "expected:"),
            OPEN.replace("status: fail", "status: failed"),
            OPEN.replace("check:", "id:"),
            OPEN.replace("security.other", "'*'"),
            "what: x",
            "[]",
            "<<<<",
            "a: [",
            OPEN.replace("node: n2", ""),
        ):
            with self.subTest(wrong), self.assertRaises(truth.BadTruth):
                truth.parse("wrong", "fault", wrong)

    def test_all_that_can_be_planted_reads_and_has_its_script(self):
        for kind in truth.KINDS:
            for name in truth.all_of(kind):
                with self.subTest(name):
                    about = truth.read(name)
                    self.assertTrue(about.expect or about.expect_not)
                    self.assertTrue(
                        (truth.folder_of(name) / "plant").stat().st_mode & 0o100, "plant must be executable"
                    )
                    for rival in about.excludes:
                        truth.folder_of(rival)

    def test_each_folder_is_a_fault_or_a_decoy(self):
        for folder in truth.KINDS.values():
            for entry in folder.iterdir():
                self.assertTrue((entry / "truth.yaml").exists(), f"{entry} has no truth.yaml")


class Command(unittest.TestCase):
    def score(self, text, *options):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "report.json"
            file.write_text(text)
            return subprocess.run([LAB / "score", folder, "--sound", *options], capture_output=True, text=True)

    def report(self, *verdicts):
        return json.dumps(
            {
                "schema": "assay.report/1",
                "verdicts": [{"check": "a.b", "subject": "cluster/x", "status": status} for status in verdicts],
            }
        )

    def test_exit_codes(self):
        self.assertEqual(self.score(self.report("pass", "unknown", "not_applicable")).returncode, 0)
        self.assertEqual(self.score(self.report("pass", "warn")).returncode, 1)

    def test_bad_reports_are_refused_with_words(self):
        for text in (
            "",
            "{",
            "[]",
            "{}",
            '{"schema":"assay.report/2","verdicts":[]}',
            '{"schema":"assay.report/1","verdicts":{}}',
            '{"schema":"assay.report/1","verdicts":[{"check":"a.b","subject":"cluster/x","status":"PASS"}]}',
            '{"schema":"assay.report/1","verdicts":[{"check":"a.b","status":"pass"}]}',
            '{"schema":"assay.report/1","verdicts":[7]}',
        ):
            with self.subTest(text):
                done = self.score(text)
                self.assertEqual(done.returncode, 2)
                self.assertIn("expected", done.stderr)
                self.assertNotIn("Traceback", done.stderr)

    def test_json_has_the_promised_keys(self):
        self.assertEqual(
            set(json.loads(self.score(self.report("warn"), "--json").stdout)),
            {"planted", "decoys", "found", "missed", "false"},
        )


if __name__ == "__main__":
    unittest.main()
