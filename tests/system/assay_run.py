"""What the system tests share: where the built assay is, how a run of it is started, and what a run folder holds."""
import contextlib
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile
import unittest

from where import built

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
ASSAY = built("src/assay")


def environment(**more):
    env = dict(os.environ, PATH=f"{HERE / 'hosts'}:{os.environ['PATH']}", **more)
    return env


def start(*args, **options):
    return subprocess.Popen([str(ASSAY), *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            env=environment(), start_new_session=True, **options)


def call(*args, timeout=120, **options):
    return subprocess.run([str(ASSAY), *map(str, args)], capture_output=True, env=environment(), timeout=timeout, **options)


def rows(run, query):
    with contextlib.closing(sqlite3.connect(f"file:{run}/evidence.db?mode=ro", uri=True)) as database:
        return database.execute(query).fetchall()


def steps(run):
    return rows(run, "SELECT host, name, state, detail FROM step WHERE superseded = 0")


def observations(run):
    """(subject, name) → value or absence, current ones."""
    query = """SELECT s.text, n.text, o.absent, o.value FROM observation o JOIN step t ON t.id = o.step
               JOIN term s ON s.id = o.subject JOIN term n ON n.id = o.name WHERE t.superseded = 0"""
    return {(subject, name): (absent, value) for subject, name, absent, value in rows(run, query)}


# What other programs on this machine come and go with, between two looks at it.
MOVING = ("/listen/", "/interface/", "/mount/", "/kernel-event/", "/disk/")


def settled(run):
    return {key for key in observations(run) if not any(kind in key[0] for kind in MOVING)}


def verdicts(run):
    return {(check, subject): status for check, subject, status in rows(run, "SELECT chk, subject, status FROM verdict")}


class SystemTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="assay-system-"))
        # The first cleanup is the last to run: what a test has mounted there is gone by then.
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
