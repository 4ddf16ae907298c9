"""The runner counts what ran today, and nothing that didn't run counts as passed."""
import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import all as runner  # noqa: E402

PASSED = '<testcase name="A.B" status="run"/>'
FAILED = '<testcase name="A.C" status="fail"><system-out>why</system-out></testcase>'
SKIPPED = '<testcase name="A.D" status="notrun"/>'


class Suites(unittest.TestCase):
    def setUp(self):
        self.source = pathlib.Path(tempfile.mkdtemp(prefix="assay-suites-"))
        self.addCleanup(subprocess.run, ["rm", "-r", self.source])
        (self.source / "build/dev").mkdir(parents=True)
        for name, value in {"SOURCE": self.source, "HERE": self.source, "build": lambda preset: None, "failures": []}.items():
            self.addCleanup(setattr, runner, name, getattr(runner, name))
            setattr(runner, name, value)

    def outcome(self, suite):
        with contextlib.redirect_stdout(io.StringIO()):
            return runner.outcome("unit", suite)

    def ctest(self, *cases, status=0, writes=True):
        """What ctest() makes of a ctest that ends so and writes these cases, after yesterday's good run."""
        report = self.source / "build/dev/ctest.xml"
        report.write_text(f"<testsuite>{PASSED * 9}</testsuite>")

        def run(*command, **options):
            if writes:
                report.write_text(f"<testsuite>{''.join(cases)}</testsuite>")
            return subprocess.CompletedProcess(command, status)

        self.addCleanup(setattr, runner, "run", runner.run)
        runner.run = run
        return self.outcome(lambda: runner.ctest("dev"))

    def test_counts(self):
        self.assertEqual(self.ctest(PASSED, PASSED, SKIPPED), [2, 0, 1])
        self.assertEqual(self.ctest(PASSED, FAILED, status=8), [1, 1, 0])
        self.assertEqual(runner.failures, ["A.C"])

    def test_yesterdays_report_is_not_counted(self):
        self.assertEqual(self.ctest(status=-9, writes=False), [0, 1, 0])

    def test_an_end_that_no_test_accounts_for(self):
        self.assertEqual(self.ctest(PASSED, status=8), [0, 1, 0])

    def test_no_test_found(self):
        self.assertEqual(self.ctest(), [0, 1, 0])

    def test_all_skipped(self):
        self.assertEqual(self.ctest(SKIPPED, SKIPPED), [0, 1, 0])
        self.assertIn("2 skipped", runner.failures[0])

    def test_half_a_report(self):
        self.assertEqual(self.ctest("<testcase"), [0, 1, 0])

    def python(self, text):
        (self.source / "folder").mkdir(exist_ok=True)
        (self.source / "folder/test_it.py").write_text(text)
        return self.outcome(lambda: runner.python("folder"))

    def test_a_folder_of_unittests(self):
        one = "import unittest\n{}class T(unittest.TestCase):\n    def test_a(self):\n        {}\n"
        self.assertEqual(self.python(one.format("", "pass")), [1, 0, 0])
        self.assertEqual(self.python(one.format("", "self.fail()")), [0, 1, 0])
        self.assertEqual(self.python(one.format("@unittest.skip('x')\n", "pass")), [0, 1, 0])
        self.assertEqual(self.python(""), [0, 1, 0])
        self.assertEqual(self.python("import os\nos._exit(0)\n"), [0, 1, 0])

    def test_a_failure_is_the_runners_exit_code(self):
        for counts, code in (([1, 0, 0], 0), ([1, 1, 0], 1), ([0, 0, 5], 1)):
            suite = lambda: counts  # noqa: E731
            suite.__name__, suite.__doc__ = "unit", "a suite"
            self.addCleanup(setattr, runner, "SUITES", runner.SUITES)
            runner.SUITES = [suite]
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(runner.main(["unit"]), code)


if __name__ == "__main__":
    unittest.main()
