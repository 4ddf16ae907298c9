"""A lab of its own for the tests, with the built assay on its head; brought up once a module and taken down at its end."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

from where import build_folder

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
LAB = SOURCE / "lab"
NAME = f"test{os.getpid()}"
NODES = ["n1", "n2", "n3", "n4"]
TARGETS = {"ssh": ["--ssh", ",".join(NODES)], "slurm": ["--slurm"]}

sys.path.insert(0, str(LAB))


def lab(command, *args, check=True, timeout=300):
    result = subprocess.run([str(LAB / command), "--name", NAME, *map(str, args)], capture_output=True, text=True, timeout=timeout)
    if check and result.returncode != 0:
        raise AssertionError(f"lab/{command} {args} ended with {result.returncode}:\n{result.stdout}\n{result.stderr}")
    return result


def up():
    if os.geteuid() != 0:
        return "the lab needs root: it makes namespaces and mounts"
    prefix = SOURCE / "build/lab-prefix"
    shutil.rmtree(prefix, ignore_errors=True)
    subprocess.run(["cmake", "--install", build_folder(), "--prefix", prefix], cwd=SOURCE, check=True, stdout=subprocess.DEVNULL)
    lab("down", check=False)
    lab("up", "--nodes", len(NODES), timeout=900)
    lab("install", "--native-agent", prefix)
    return None


def down():
    lab("down", check=False)


def evaluate(by, run):
    """report.json of an evaluation from the head."""
    result = lab("exec", "head", "assay", "evaluate", *TARGETS[by], "--cluster", "lab", "--out", f"/root/runs/{run}", "--json", check=False)
    if result.returncode not in (0, 1, 3):
        raise AssertionError(f"assay evaluate by {by} ended with {result.returncode}:\n{result.stdout[-2000:]}\n{result.stderr[-2000:]}")
    return json.loads(result.stdout)


def score(report, *args):
    """lab/score's word on a report, and its exit status."""
    file = SOURCE / f"build/lab-report-{NAME}.json"
    file.write_text(json.dumps(report))
    result = lab("score", file, "--json", *args, check=False)
    file.unlink()
    return json.loads(result.stdout), result.returncode

