"""Assay's nodes by a real Slurm: who dies, hangs or babbles costs itself alone, who is drained is told and not waited
for, a busy queue is waited for so long and no longer, and nothing is left in it whatever ends the run."""
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

from assay_run import ASSAY, SOURCE, SystemTest, rows

sys.path.insert(0, str(SOURCE / "bench"))
from slurm_hosts import Cluster

AGENT = next(ASSAY.parent.glob("agents/*/assay-agent"), None)
STANDIN = """#!/bin/bash
hello='{"type":"hello","protocol":1,"agent":"0.1.0","arch":"x86_64","uid":0}'
case $SLURMD_NODENAME in
n2) echo "$hello"; exec sleep 1000 ;;
n3) kill -9 $$ ;;
n4) head -c 100000 /dev/urandom; head -c 3000000 /dev/zero | tr '\\0' x; echo; printf '0: \\2%s\\3\\n' '{"type":"finished","id":1}' ;;
esac
exec AGENT
"""


@unittest.skipUnless(shutil.which("slurmctld") and shutil.which("munged") and os.geteuid() == 0 and AGENT, "needs slurm-wlm, munge and root")
class Slurm(SystemTest):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster(4).__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.cluster.__exit__()

    def setUp(self):
        super().setUp()
        self.cluster.await_idle()

    def tearDown(self):
        self.slurm("scancel", "--user", "root")
        self.await_empty_queue(20)

    def slurm(self, *call):
        return self.cluster.output(list(call), check=False).decode()

    def await_empty_queue(self, seconds):
        until = time.monotonic() + seconds
        while (left := self.slurm("squeue", "-h")) and time.monotonic() < until:
            time.sleep(0.1)
        self.assertEqual(left, "")

    def start(self, *more, hostile=False):
        environment = dict(self.cluster.environment)
        if hostile:
            folder = self.folder / "agents" / AGENT.parent.name
            folder.mkdir(parents=True)
            (folder / AGENT.name).write_text(STANDIN.replace("AGENT", str(AGENT)))
            (folder / AGENT.name).chmod(0o755)
            environment["ASSAY_AGENTS"] = str(folder.parent)
        return subprocess.Popen([ASSAY, "evaluate", "--slurm", "--no-login", "--out", self.folder / "run", *map(str, more)],
                                env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def finish(self, child):
        out, err = child.communicate(timeout=120)
        self.assertIn(child.returncode, (0, 1, 3), err)
        report = json.loads((self.folder / "run/report.json").read_text())
        return {gap["where"]: gap["detail"] for gap in report["absent"] if gap["of"] == "host"}, report["run"]["hosts"]

    def await_running(self):
        until = time.monotonic() + 20
        while "RUNNING" not in self.slurm("squeue", "-h", "-o", "%T %j") and time.monotonic() < until:
            time.sleep(0.05)

    def test_all_answer_and_nothing_is_left(self):
        missing, hosts = self.finish(self.start())
        self.assertEqual((missing, hosts["answered"]), ({}, 4))
        self.await_empty_queue(5)

    def test_this_host_is_looked_at_as_the_login_host(self):
        command = [ASSAY, "evaluate", "--slurm", "--out", self.folder / "run"]
        self.finish(subprocess.Popen(command, env=self.cluster.environment, stdin=subprocess.DEVNULL,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE))
        kinds = [host.split("/")[2] for (host,) in rows(self.folder / "run", "SELECT DISTINCT host FROM step")]
        self.assertEqual(sorted(kinds), ["login"] + 4 * ["node"])

    def test_slurm_is_asked_once_which_nodes_there_are(self):
        self.folder.joinpath("bin").mkdir()
        asked = self.folder / "asked"
        for program in ("sinfo", "scontrol"):
            wrapper = self.folder / "bin" / program
            # The agents ask for themselves, each in its job.
            wrapper.write_text(f'#!/bin/sh\n[ "$SLURM_JOB_ID" ] || echo {program} >> {asked}\n'
                               f'exec {shutil.which(program)} "$@"\n')
            wrapper.chmod(0o755)
        environment = dict(self.cluster.environment)
        environment["PATH"] = f"{self.folder}/bin:{environment.get('PATH', os.environ['PATH'])}"
        command = [ASSAY, "evaluate", "--slurm", "--no-login", "--out", self.folder / "run"]
        self.finish(subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE))
        self.assertEqual(sorted(asked.read_text().split()), ["scontrol", "sinfo"])

    def test_each_costs_itself_alone(self):
        missing, hosts = self.finish(self.start("--host-limit", 4, hostile=True))
        self.assertEqual(hosts["answered"], 2, missing)  # n4 says a lot of noise, and then what it should
        self.assertIn("no end within 4 s", missing["n2"])
        self.assertIn("Killed", missing["n3"])
        self.await_empty_queue(5)

    def test_a_drained_node_is_told_and_not_waited_for(self):
        self.slurm("scontrol", "update", "NodeName=n2", "State=DRAIN", "Reason=bad DIMM | <b>")
        try:
            missing, hosts = self.finish(self.start())
        finally:
            self.slurm("scontrol", "update", "NodeName=n2", "State=RESUME")
        self.assertEqual(missing, {"n2": "Slurm says it is drained: bad DIMM | <b>"})
        self.assertEqual(hosts["answered"], 3)

    def test_a_node_that_was_just_resumed_is_looked_at(self):
        # slurmctld calls it idle and not responding until its next ping, within a second.
        self.slurm("scontrol", "update", "NodeName=n2", "State=DOWN", "Reason=repaired")
        self.slurm("scontrol", "update", "NodeName=n2", "State=RESUME")
        missing, hosts = self.finish(self.start())
        self.assertEqual((missing, hosts["answered"]), ({}, 4))
        report = json.loads((self.folder / "run/report.json").read_text())
        said = {(one["subject"], one["status"]) for one in report["verdicts"] if one["check"] == "orchestration.slurm-nodes-available"}
        self.assertLessEqual({status for _, status in said}, {"pass"}, said)

    def test_a_busy_queue_is_waited_for_so_long(self):
        other = subprocess.Popen(["srun", "-N4", "--exclusive", "sleep", "60"], env=self.cluster.environment, stderr=subprocess.DEVNULL)
        self.await_running()
        started = time.monotonic()
        missing, hosts = self.finish(self.start("--wait", 3))
        self.assertLess(time.monotonic() - started, 15)
        self.assertEqual(hosts["answered"], 0)
        self.assertIn("did not give the node within 3 s", missing["n1"])
        self.slurm("scancel", "--user", "root")
        other.wait(30)

    def test_stopped_or_killed_it_leaves_no_job(self):
        for end, seconds in ((signal.SIGINT, 15), (signal.SIGKILL, 15)):
            with self.subTest(end=end):
                shutil.rmtree(self.folder, ignore_errors=True)
                self.folder.mkdir()
                child = self.start(hostile=True)
                self.await_running()
                time.sleep(0.5)
                child.send_signal(end)
                child.communicate(timeout=seconds)
                self.await_empty_queue(seconds)

    def test_mistakes_are_one_line_and_status_2(self):
        for more, words in ((["-p", "nope"], "partition nope"), (["-w", "n1,n99"], "got n99"), (["-N", "9"], "got 4"),
                            (["-t", "banana"], "--time"), (["--reservation", "nores"], "reservation")):
            with self.subTest(more=more):
                child = self.start(*more)
                _, err = child.communicate(timeout=60)
                self.assertEqual(child.returncode, 2)
                self.assertIn(words, err.decode())
                self.assertEqual(err.decode().count("\n"), 1, err)


if __name__ == "__main__":
    unittest.main()
