"""Whom a call looks at: host lists, this host beside them or not, and how long a run says that it looked."""
import json
import signal
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


if __name__ == "__main__":
    unittest.main()
