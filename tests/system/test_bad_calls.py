"""Bad calls: one clear line what was expected, what came, and what to do; exit code 2; with --json one error object."""
import json
import os
import shutil
import sqlite3
import contextlib
import subprocess
import unittest

from assay_run import ASSAY, SystemTest, call, environment, settled, steps


class BadCalls(SystemTest):
    def assert_refused(self, result, *words, code=2):
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        lines = result.stderr.decode().splitlines()
        self.assertEqual(len(lines), 1, lines)
        for word in words:
            self.assertIn(word, lines[0])

    def refused(self, *args, words):
        self.assert_refused(call(*args), *words)
        said = call(*args, "--json")
        self.assertEqual(said.returncode, 2)
        error = json.loads(said.stdout)["error"]
        self.assertLessEqual({"expected", "came", "where", "remedy", "message"}, set(error))

    def test_an_unknown_option(self):
        self.refused("evaluate", "--no-such-option", words=["--no-such-option"])

    def test_an_unknown_command(self):
        self.assert_refused(call("valuate"), "valuate")

    def test_no_command(self):
        self.assert_refused(call(), "expected a command, got none", "assay evaluate")
        self.assertEqual(json.loads(call("--json").stdout)["error"]["expected"], "a command")

    def test_a_host_list_that_is_none(self):
        for names in ("n[1-3", "n[1-99999999]", "n1,,n2"):
            self.refused("evaluate", "--ssh", names, "--out", self.folder / "run", words=["host list", "--ssh"])
        self.assertFalse((self.folder / "run").exists())

    def test_two_targets(self):
        self.refused("evaluate", "--ssh", "n1", "--root", "/", words=["one target"])

    # Each of these once looked at this machine, or at what the run was begun with, and said nothing of the option.
    def test_options_of_a_target_that_is_not_given(self):
        run = self.folder / "run"
        for option in ("-p", "-w", "-A", "-q", "-C", "--reservation", "-t"):
            self.refused("evaluate", option, "x", "--out", run, words=["--slurm"])
        for option in ("-N", "--wait"):
            self.refused("evaluate", option, 16, "--out", run, words=["--slurm"])
        self.refused("evaluate", "--ssh", "sound1", "-N", 2, "--out", run, words=["--nodes", "--slurm"])
        self.refused("evaluate", "--ssh-config", "x", "--out", run, words=["--ssh"])
        self.refused("evaluate", "--connect-timeout", 5, "--slurm", "--out", run, words=["--connect-timeout", "--ssh"])
        for option in ("--login", "--no-login"):
            self.refused("evaluate", option, "--out", run, words=[option, "--ssh or --slurm"])
        self.assertFalse(run.exists())

    def test_a_target_beside_resume(self):
        run = self.folder / "run"
        self.assertIn(call("evaluate", "--out", run).returncode, (0, 1, 3))
        for more in (["--slurm", "-p", "gpu"], ["--cluster", "acme"], ["--local"], ["--ssh", "sound1"], ["--root", "/"],
                     ["--login"]):
            self.refused("evaluate", "--resume", run, *more, words=["--resume alone", more[0]])
        self.refused("evaluate", "--resume", run, "-p", "gpu", words=["--slurm"])
        self.refused("evaluate", "--resume", run, "--out", self.folder / "other", words=["--out"])
        self.assertIn(call("evaluate", "--resume", run).returncode, (0, 1, 3))

    # An unset variable, which would have meant all nodes, this machine or the shipped rubric.
    def test_options_without_a_value(self):
        run = self.folder / "run"
        for option in ("--resume", "--root", "--ssh", "--cluster", "--rubric", "--provider"):
            self.refused("evaluate", option, "", *([] if option == "--resume" else ["--out", run]), words=[option, "a value"])
        for option in ("--partition", "--nodelist", "--account", "--qos", "--constraint", "--reservation", "--time"):
            self.refused("evaluate", "--slurm", option, "", "--out", run, words=[option, "a value"])
        self.refused("evaluate", "--out", "", words=["--out", "a value"])
        self.assertFalse(run.exists())

    def test_a_root_that_is_none(self):
        self.refused("evaluate", "--root", self.folder / "nowhere", words=["a folder", "nowhere"])

    def test_a_host_name_that_is_an_option(self):
        self.refused("evaluate", "--ssh=-oProxyCommand=touch", "--out", self.folder / "run", words=["host name"])

    def test_a_run_folder_that_is_none(self):
        self.refused("evaluate", "--resume", self.folder, words=["evidence.db"])
        self.refused("report", self.folder / "nowhere", words=["evidence.db"])

    def test_an_out_folder_that_holds_something(self):
        (self.folder / "file").touch()
        self.refused("evaluate", "--out", self.folder, words=["new run folder"])

    def test_a_run_of_a_newer_schema(self):
        run = self.folder / "run"
        call("evaluate", "--out", run)
        with contextlib.closing(sqlite3.connect(run / "evidence.db")) as database:
            database.execute("PRAGMA user_version=99")
            database.commit()
        self.refused("report", run, words=["version 99", "newer"])
        self.refused("evaluate", "--resume", run, words=["version 99", "newer"])

    def test_slurm_without_srun(self):
        empty = self.folder / "bin"
        empty.mkdir()
        for program in ("sh", "uname", "sha256sum"):
            (empty / program).symlink_to(shutil.which(program))
        result = subprocess.run([str(ASSAY), "evaluate", "--slurm", "--out", str(self.folder / "run")], capture_output=True,
                                env=dict(environment(), PATH=str(empty)))
        self.assert_refused(result, "srun")

    def test_an_unknown_ssh_host_is_a_finding_not_an_error(self):
        result = call("evaluate", "--ssh", "sound1,dead", "--out", self.folder / "run", "--fail-on", "never")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn(b"dead", result.stdout)
        self.assertIn(b"Connection refused", result.stdout)

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_a_folder_we_may_not_write_to(self):
        self.refused("evaluate", "--out", "/proc/run", words=["/proc/run"])


@unittest.skipUnless(os.geteuid() == 0, "needs to mount a small file system")
class FullDisk(SystemTest):
    def mount(self, options):
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(self.folder)], check=True)
        self.addCleanup(subprocess.run, ["umount", str(self.folder)], check=True)

    def test_a_full_disk_is_told_and_resumed_after(self):
        self.mount("size=220k")
        run = self.folder / "run"
        hosts = ("--ssh", "sound[1-4]")
        full = call("evaluate", *hosts, "--out", run)
        self.assertEqual(full.returncode, 2, full.stdout)
        self.assertIn(b"--resume", full.stderr)
        self.assertEqual(len(full.stderr.decode().splitlines()), 1, full.stderr)
        subprocess.run(["mount", "-o", "remount,size=64m", str(self.folder)], check=True)
        again = call("evaluate", "--resume", run)
        self.assertIn(again.returncode, (0, 1, 3), again.stderr)
        whole = self.folder / "whole"
        call("evaluate", *hosts, "--out", whole)
        self.assertEqual(settled(run), settled(whole))
        self.assertEqual({step[:3] for step in steps(run)}, {step[:3] for step in steps(whole)})

    def test_a_read_only_disk(self):
        self.mount("size=64m")
        run = self.folder / "run"
        self.assertIn(call("evaluate", "--out", run).returncode, (0, 1, 3))
        subprocess.run(["mount", "-o", "remount,ro", str(self.folder)], check=True)
        for args in (("evaluate", "--out", self.folder / "other"), ("evaluate", "--resume", run)):
            result = call(*args)
            self.assertEqual(result.returncode, 2)
            self.assertEqual(len(result.stderr.decode().splitlines()), 1, result.stderr)


if __name__ == "__main__":
    unittest.main()
