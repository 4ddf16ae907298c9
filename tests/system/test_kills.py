"""An evaluation killed at random moments, again and again, and resumed: nothing recorded is lost, finished steps aren't
done again, and in the end its report is that of an undisturbed run (times and other moving values aside).

ASSAY_KILLS sets how many kills (default 200)."""
import os
import random
import signal
import sqlite3
import time
import unittest

from assay_run import SystemTest, call, rows, settled, start, verdicts

HOSTS = "sound[1-4]"
KILLS = int(os.environ.get("ASSAY_KILLS", "200"))


def recorded(run):
    """Every row ever recorded, superseded or not."""
    try:
        return set(rows(run, "SELECT id, step, subject, name, absent, value, time FROM observation"))
    except sqlite3.OperationalError:
        return set()  # killed before the database was begun


class Kills(SystemTest):
    def test_kills_lose_nothing(self):
        whole = self.folder / "whole"
        begun = time.monotonic()
        self.assertIn(call("evaluate", "--ssh", HOSTS, "--out", whole).returncode, (0, 1, 3))
        took = time.monotonic() - begun
        chance = random.Random(7)
        kills = 0
        while kills < KILLS:
            run = self.folder / f"run{kills}"
            kept = set()
            for _ in range(5):
                again = ("--resume", run) if recorded(run) or (run / "evidence.db").exists() else (
                    "--ssh", HOSTS, "--out", run)
                process = start("evaluate", *again)
                try:
                    process.wait(chance.uniform(0, chance.choice((took, took, 0.05))))  # its first moments are the likeliest to be half done
                except Exception:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
                    kills += 1
                process.stdout.close()
                process.stderr.close()
                now = recorded(run)
                self.assertLessEqual(kept, now, "a recorded row is gone")
                kept = now
            ended = call("evaluate", "--resume", run) if (run / "evidence.db").exists() else None
            if ended is None or b"never begun" in ended.stderr:
                continue  # killed before there was anything to resume
            self.assertIn(ended.returncode, (0, 1, 3), ended.stderr)
            self.assertEqual(settled(run), settled(whole))
            self.assertEqual(verdicts(run), verdicts(whole))
            once = rows(run, "SELECT host, name, count(*) FROM step WHERE state = 0 GROUP BY host, name HAVING count(*) > 1")
            self.assertEqual(once, [], "a finished step was done again")


if __name__ == "__main__":
    unittest.main()
