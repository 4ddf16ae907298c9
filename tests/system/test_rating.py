"""Telling and rating from the command line: the faces are what their schemas say, and a bad file is told before a look."""
import json
import unittest

from assay_run import SystemTest, call


class Rating(SystemTest):
    def json_of(self, *args, code=0):
        said = call(*args, "--json")
        self.assertEqual(said.returncode, code, said.stderr)
        return json.loads(said.stdout)

    def run_of_a_tree(self):
        """A folder with next to nothing in it: what can be seen is unknown, and so not enough for a tier."""
        (self.folder / "tree/etc").mkdir(parents=True)
        (self.folder / "tree/etc/os-release").write_text("ID=debian\nVERSION_ID=12\n")
        call("evaluate", "--root", self.folder / "tree", "-o", self.folder / "run")
        return self.folder / "run"

    def test_every_check_and_its_item_can_be_explained(self):
        checks = self.json_of("checks")
        self.assertEqual(checks["schema"], "assay.checks/1")
        for check in checks["checks"][::7]:
            self.assertEqual(self.json_of("explain", check["id"])["title"], check["title"])
            self.assertIn(self.json_of("explain", check["item"])["kind"], ("item", "check"))
        self.assertEqual(call("explain", "security.nothing-such").returncode, 2)

    def test_a_run_is_rated_without_looking_again(self):
        run = self.run_of_a_tree()
        rating = self.json_of("rate", run, code=3)["rating"]
        self.assertEqual(rating["tier"], "")
        self.assertLess(rating["seen"], rating["minimum"])
        self.assertEqual(rating, json.loads((run / "report.json").read_text())["rating"])
        self.assertAlmostEqual(sum(each["width"] for each in rating["closes"]),
                               rating["score"]["high"] - rating["score"]["low"], places=3)

    def test_answers_narrow_the_rating(self):
        run = self.run_of_a_tree()
        before = self.json_of("rate", run, code=3)["rating"]
        provider = self.folder / "provider.yaml"
        (self.folder / "soc2.pdf").write_text("report")
        provider.write_text("provider: acme\nanswers:\n  security.attestation-soc2:\n    answer: yes\n    by: Jo\n"
                            "    date: 2026-11-30\n    document: {title: SOC 2, date: 2026-03-01, file: soc2.pdf}\n")
        after = self.json_of("rate", run, "--provider", provider, code=3)["rating"]
        self.assertGreater(after["score"]["low"], before["score"]["low"])
        self.assertEqual([gate["status"] for gate in after["gates"] if gate["id"] == "attested"], ["pass"])
        provider.write_text("provider: acme\nanswers:\n  lifecycle.no-billing-while-down: {answer: no, by: Jo, "
                            "date: 2026-11-30}\n")
        self.assertEqual(self.json_of("rate", run, "--provider", provider, code=1)["rating"]["tier"], "Underperforming")

    def test_the_template_reads_back_unanswered(self):
        page = call("provider", "new").stdout
        (self.folder / "provider.yaml").write_bytes(page)
        told = self.json_of("provider", "check", self.folder / "provider.yaml")
        self.assertEqual(told["answered"], 0)
        self.assertEqual(len(told["open"]), told["asked"])

    def test_a_bad_provider_file_is_told_before_anything_is_looked_at(self):
        provider = self.folder / "provider.yaml"
        provider.write_text("provider: acme\nanswers:\n  security.nothing-such: {answer: yes}\n")
        said = call("evaluate", "--root", self.folder, "-o", self.folder / "run", "--provider", provider)
        self.assertEqual(said.returncode, 2)
        self.assertIn(b"provider.yaml:3", said.stderr)
        self.assertFalse((self.folder / "run").exists())


if __name__ == "__main__":
    unittest.main()
