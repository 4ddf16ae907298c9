"""Hosts that die, hang, babble and lie cost their own observations alone, and the run says what is missing and why."""
import shutil
import unittest

from assay_run import SystemTest, call, observations, steps, verdicts

BAD = {
    "dead": "Connection refused",
    "dies": "",
    "hangs": "no word within",
    "stalls": "no end within",
    "babbles": "",
}


class HostileHosts(SystemTest):
    def evaluate(self, *hosts, limit=3):
        run = self.folder / "run"
        result = call("evaluate", "--ssh", ",".join(hosts), "--host-limit", limit, "--connect-timeout", 1,
                      "--out", run)
        self.assertIn(result.returncode, (0, 1, 3), result.stderr)
        return run, result

    def test_each_costs_itself_alone(self):
        run, _ = self.evaluate("sound1", *BAD, "endless", "sound2")
        answered = {subject.rsplit("/", 1)[1]: seen for (subject, name), seen in observations(run).items()
                    if name == "agent.answered"}
        for host in ("sound1", "sound2", "endless"):
            self.assertEqual(answered[host], (None, 1), host)
        for host, words in BAD.items():
            absent, detail = answered[host]
            self.assertIsNotNone(absent, host)
            self.assertIn(words, detail)
        sound = {name for (subject, name) in observations(run) if subject.endswith("/sound1")}
        self.assertEqual(sound, {name for (subject, name) in observations(run) if subject.endswith("/endless")})
        self.assertIn("kernel.running", sound)

    def test_any_login_shell_will_do(self):
        shells = [shell for shell in ("tcsh", "fish", "zsh", "ksh", "bash", "dash") if shutil.which(shell)]
        self.assertIn("tcsh", shells)
        run, _ = self.evaluate(*[f"logs-in-with-{shell}" for shell in shells])
        answered = {subject: seen for (subject, name), seen in observations(run).items() if name == "agent.answered"}
        self.assertEqual(set(answered.values()), {(None, 1)}, answered)
        self.assertEqual(len(answered), len(shells))

    def test_unknown_is_never_pass(self):
        run, _ = self.evaluate("sound1", *BAD)
        for (check, subject), status in verdicts(run).items():
            if subject.split("/")[-1] in BAD:
                self.assertEqual(status, "unknown", f"{check} of {subject}")

    def test_a_liar_speaks_of_itself_only(self):
        run, _ = self.evaluate("sound1", "forges")
        seen = observations(run)
        self.assertNotEqual(seen["cluster/cluster/node/sound1", "os.id"], (None, "forged"))
        self.assertNotIn(("cluster/cluster/node/forges", "gpu.count"),
                         [key for key, (absent, _) in seen.items() if absent is None])

    def test_nothing_painted_reaches_the_screen(self):
        _, result = self.evaluate("paints")
        for stream in (result.stdout, result.stderr):
            self.assertNotIn(b"\x1b[32m", stream)
            self.assertNotIn("\u202e".encode(), stream)

    def test_steps_that_failed_are_there_to_resume(self):
        run, _ = self.evaluate("sound1", "dead")
        states = {(host.rsplit("/", 1)[1], name): state for host, name, state, _ in steps(run)}
        self.assertEqual(states[("sound1", "os")], 0)
        self.assertEqual(states[("dead", "os")], 1)


if __name__ == "__main__":
    unittest.main()
