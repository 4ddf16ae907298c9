"""Whom a call looks at: host lists, this host beside them or not, and how long a run says that it looked."""
import json
import shutil
import signal
import socket
import time
import unittest

from assay_run import SystemTest, call, rows, start


class Targets(SystemTest):
    def evaluate(self, *args):
        run = self.folder / "run"
        self.assertIn(call("evaluate", "--out", run, *args).returncode, (0, 1, 3))
        return run, {subject.split("/", 2)[2] for (subject,) in rows(run, "SELECT DISTINCT host FROM step")}

    def test_a_host_list_is_looked_at_whole_and_told_short(self):
        run, hosts = self.evaluate("--ssh", "sound[1-2],sound4,sound1")
        self.assertEqual(hosts, {"node/sound1", "node/sound2", "node/sound4"})
        self.assertEqual(json.loads((run / "report.json").read_text())["run"]["target"], "--ssh sound[1-2,4]")

    def test_this_host_is_no_login_host_of_what_ssh_reaches_unless_told(self):
        _, hosts = self.evaluate("--ssh", "sound1", "--login")
        self.assertEqual({host.split("/")[0] for host in hosts}, {"node", "login"})

    def test_a_pause_is_not_told_as_looking(self):
        run = self.folder / "run"
        begun = time.monotonic()
        process = start("evaluate", "--ssh", "sound1,hangs", "--connect-timeout", 1, "--out", run)
        until = time.monotonic() + 20
        while not (run / "evidence.db").exists() and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        time.sleep(6)
        self.assertIn(call("evaluate", "--resume", run).returncode, (0, 1, 3))
        looked = int(json.loads((run / "report.json").read_text())["run"]["facts"]["looked.seconds"])
        self.assertGreaterEqual(looked, 3)  # "hangs" is given three seconds the second time
        self.assertLess(looked, time.monotonic() - begun - 4)

    def tree(self, *files):
        root = self.folder / "collected"
        for name, content in files:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(content)
        root.mkdir(parents=True, exist_ok=True)
        return root

    def test_a_tree_is_called_by_its_own_host_name(self):
        for name, host in (("n7.example.org\n", "n7.example.org"), ("../../x\n", "collected"), ("", "collected")):
            with self.subTest(name=name):
                shutil.rmtree(self.folder / "run", ignore_errors=True)
                _, hosts = self.evaluate("--root", str(self.tree(("etc/hostname", name))) + "/")
                self.assertEqual(hosts, {f"node/{host}"})

    def test_the_root_folder_is_this_machine(self):
        run, _ = self.evaluate("--root", "/")
        report = json.loads((run / "report.json").read_text())
        self.assertEqual(report["run"]["cluster"], socket.gethostname())

    # What a tree doesn't hold may well be on its machine: nothing passes, and nothing is "not there", for want of a file.
    def test_a_part_of_a_machine_proves_nothing_by_what_it_lacks(self):
        alone = {"orchestration.time-skew", "networking.mtu-uniform"}  # compared between nodes, and this is one
        for files in ((), (("etc/hostname", "n7\n"), ("etc/profile.d/x.sh", "\n")),
                      (("proc/version", "x\n"), ("sys/class/net/eth0/mtu", "1500\n"), ("sos_commands/x/y", ""),
                       ("usr/bin/bash", ""), ("etc/passwd", ""), ("dev/null", ""), ("run/x", ""), ("var/log/x", ""),
                       ("lib/modules/6.1.0/modules.dep", ""), ("proc/sys/kernel/x", ""), ("sys/bus/x", ""))):
            with self.subTest(files=len(files)):
                shutil.rmtree(self.folder, ignore_errors=True)
                run, _ = self.evaluate("--root", self.tree(*files))
                said = {(verdict["check"], verdict["status"], verdict["why"])
                        for verdict in json.loads((run / "report.json").read_text())["verdicts"]
                        if verdict["status"] != "unknown" and verdict["check"] not in alone}
                self.assertEqual(said, set())


if __name__ == "__main__":
    unittest.main()
