"""Runs the test suites one after another and sums them up. A suite is a function below; its name is its suite's. When all
are run, the lab's, which mostly waits, runs beside those that build."""
import atexit
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent
JOBS = str(os.cpu_count() or 2)


failures = []  # the names of the tests that failed, told again at the very end


class Failed(Exception):
    """A suite that couldn't even run."""


def tell_failure(name, said=""):
    failures.append(name)
    print(f"FAILED {name}\n{said}", flush=True)


def run(*command, **options):
    print("+", " ".join(map(str, command)), flush=True)
    return subprocess.run([str(part) for part in command], cwd=options.pop("cwd", SOURCE), **options)


def must(*command, **options):
    if run(*command, **options).returncode != 0:
        raise Failed(f"{command[0]} failed")


def build(preset):
    if not (SOURCE / "build" / preset / "build.ninja").exists():
        must("cmake", "--preset", preset, stdout=subprocess.DEVNULL)
    must("cmake", "--build", "--preset", preset, "--parallel", JOBS, "--", "--quiet")


def ctest(preset):
    build(preset)
    report = SOURCE / "build" / preset / "ctest.xml"
    report.unlink(missing_ok=True)  # an earlier run's counts are not this one's
    ended = run("ctest", "--test-dir", f"build/{preset}", "--parallel", JOBS, "--output-on-failure", "--output-junit", report,
                stdout=subprocess.DEVNULL)
    if not report.exists():
        raise Failed(f"ctest ended with {ended.returncode} and told nothing")
    counts = [0, 0, 0]
    for case in xml.parse(report).getroot().iter("testcase"):
        kind = {"run": 0, "notrun": 2, "disabled": 2}.get(case.get("status"), 1)
        counts[kind] += 1
        if kind == 1:
            tell_failure(case.get("name"), case.findtext("system-out") or "")
    if ended.returncode != 0 and counts[1] == 0:
        raise Failed(f"ctest ended with {ended.returncode}, and no test says that it failed")
    return counts


def python(folder, preset="release"):
    """unittest over a folder: its own closing lines tell the counts."""
    if preset:
        build(preset)
    result = run(sys.executable, "-m", "unittest", "discover", "-v", "-s", HERE / folder, "-t", HERE / folder,
                 stderr=subprocess.PIPE, text=True, env=dict(os.environ, PYTHONPATH=str(HERE)))
    print(result.stderr, flush=True)
    failures.extend(re.findall(r"^(?:FAIL|ERROR): (.*)$", result.stderr, re.M))
    ran = re.search(r"^Ran (\d+) tests?", result.stderr, re.M)
    tail = result.stderr[ran.end():] if ran else ""
    number = lambda word: int((re.search(word + r"=(\d+)", tail) or [0, 0])[1])
    failed, skipped = number("failures") + number("errors"), number("skipped")
    if not ran or (result.returncode != 0 and failed == 0):
        raise Failed(f"the tests in {folder} ended with {result.returncode}")
    return [max(0, int(ran[1]) - failed - skipped), failed, skipped]


def suites():
    """This runner itself: what ran nothing, was killed or was skipped whole doesn't pass."""
    return python("suites", preset=None)


def format():
    """Every source lies as clang-format wants it."""
    files = subprocess.run(["git", "ls-files", "*.cpp", "*.hpp"], cwd=SOURCE, capture_output=True, text=True, check=True)
    files = files.stdout.split()
    print(f"+ clang-format-14 --dry-run --Werror on {len(files)} files", flush=True)
    bad = subprocess.run(["clang-format-14", "--dry-run", "--Werror", *files], cwd=SOURCE, stderr=subprocess.PIPE, text=True)
    if bad.returncode != 0:
        tell_failure("clang-format", bad.stderr[:4000])
    return [int(bad.returncode == 0), int(bad.returncode != 0), 0]


def unit():
    """Unit and property tests, under AddressSanitizer and UndefinedBehaviorSanitizer."""
    return ctest("sanitize")


def tidy():
    """clang-tidy over every source, but for what hasn't changed since it last passed. Slow: only when named."""
    build("release")
    result = run("scripts/tidy")
    return [int(result.returncode == 0), int(result.returncode != 0), 0]


def fuzz():
    """Each fuzz target over its seeds and the same 2,000 inputs each time; ASSAY_FUZZ_SECONDS=600 goes on to new ones."""
    build("fuzz")
    counts = [0, 0, 0]
    seconds = os.environ.get("ASSAY_FUZZ_SECONDS")
    # What libFuzzer learns from comparisons holds addresses, which differ each time.
    amount = [f"-max_total_time={seconds}"] if seconds else ["-runs=2000", "-seed=1", "-use_cmp=0"]
    for target in sorted((SOURCE / "build/fuzz/tests/fuzz").glob("fuzz_*")):
        if not os.access(target, os.X_OK) or target.is_dir():
            continue
        corpus = SOURCE / "build/corpus" / target.name  # what one run found, which libFuzzer writes to the first folder
        if not seconds:
            shutil.rmtree(corpus, ignore_errors=True)
        corpus.mkdir(parents=True, exist_ok=True)
        folders = [folder for folder in (corpus, HERE / "fuzz/seeds" / target.name) if folder.is_dir()]
        ended = run(target, *amount, "-rss_limit_mb=2048", "-max_len=16384", "-timeout=30", "-verbosity=0",
                    f"-artifact_prefix={target.parent}/", *folders, stderr=subprocess.PIPE, text=True, errors="replace")
        counts[int(ended.returncode != 0)] += 1
        if ended.returncode != 0:
            tell_failure(target.name, ended.stderr[-20000:])
    if sum(counts) == 0:
        raise Failed("no fuzz target was built")
    return counts


def portable():
    """The portable agents: glibc 2.28, arm64 under qemu-user, old and new Debian roots."""
    must("scripts/portable-agents", "build/portable")
    return python("portable")


def system():
    """Whole evaluations: hostile hosts, kills, full disks, bad calls."""
    return python("system")


def lab():
    """The small real cluster: sound, all faults planted, each fault alone; by ssh and by Slurm."""
    return python("lab")


def browser():
    """The report in a real browser."""
    build("sanitize")
    return python("browser")


SUITES = [suites, format, system, unit, browser, portable, fuzz, lab]
SLOW = [tidy]  # a quarter of an hour on two cores: run before a change is handed in, not at each test


class Beside:
    """A suite that mostly waits, in a process of its own beside those that build; it prints when its turn comes."""

    def __init__(self, name):
        self.said = tempfile.TemporaryFile("w+")
        self.child = subprocess.Popen([sys.executable, __file__, name], stdout=self.said, stderr=subprocess.STDOUT)

    def __call__(self):
        self.child.wait()
        self.said.seek(0)
        said = self.said.read()
        print(said, flush=True)
        failures.extend(re.findall(r"^failed: (.*)$", said, re.M))
        counts = re.findall(r"^(\d+) passed, (\d+) failed, (\d+) skipped$", said, re.M)
        if not counts:
            raise Failed(f"it ended with {self.child.returncode}")
        return [int(count) for count in counts[-1]]

    def end(self):
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGINT)
            self.child.wait()


def outcome(name, suite):
    """[passed, failed, skipped] of a suite; one that shows nothing has failed."""
    try:
        counts = suite()
        if counts[:2] == [0, 0]:
            raise Failed(f"nothing ran; {counts[2]} skipped")
        return counts
    except (Failed, OSError, xml.ParseError) as error:
        tell_failure(f"{name}: {error}")
        return [0, 1, 0]


def main(names):
    if names == ["--list"]:
        for suite in SUITES + SLOW:
            print(f"{suite.__name__:10} {suite.__doc__}")
        return 0
    known = {suite.__name__: suite for suite in SUITES + SLOW}
    documents = {name: suite.__doc__ for name, suite in known.items()}
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"test: expected suites among {', '.join(known)}; got {', '.join(unknown)}", file=sys.stderr)
        return 2
    whole = not names
    total, lines = [0, 0, 0], []
    for name in names or [suite.__name__ for suite in SUITES]:
        begun = time.monotonic()
        if whole and name == "unit":
            known["lab"] = beside = Beside("lab")
            atexit.register(beside.end)
        print(f"\n=== {name}: {documents[name]}", flush=True)
        counts = outcome(name, known[name])
        total = [a + b for a, b in zip(total, counts)]
        lines.append(f"{name:10} {counts[0]:5} passed {counts[1]:3} failed {counts[2]:3} skipped {time.monotonic() - begun:7.1f} s")
    print("\n" + "\n".join(lines + [f"failed: {name}" for name in failures]) + f"\n\n{total[0]} passed, {total[1]} failed, {total[2]} skipped", flush=True)
    return 1 if total[1] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
