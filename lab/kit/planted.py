"""What is planted in a lab now, and how it is undone.

For each planted thing there is a folder RUN/LAB/planted/NAME with `node` and `undo`: one JSON line per change, written
before the change is made, so that a plant that broke half way can be taken back too. Undone from the last to the first.

plant, unplant       one fault or decoy
names, in_order, node_of, truths    what is planted
Journal              what the helpers of a plant script write
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

from . import changes, paths, truth
from .lab import Lab


class Journal:
    def __init__(self, lab: str, name: str) -> None:
        self.folder = paths.run_dir(lab) / "planted" / name
        self.file = self.folder / "undo"

    def add(self, entry: dict) -> None:
        with open(self.file, "a") as out:
            out.write(json.dumps(entry) + "\n")

    def entries(self) -> list[dict]:
        return [json.loads(line) for line in self.file.read_text().splitlines()] if self.file.exists() else []

    def spare(self) -> Path:
        """A place for the next saved file."""
        folder = self.folder / "saved"
        folder.mkdir(exist_ok=True)
        return folder / str(len(list(folder.iterdir())))


def names(lab: str) -> list[str]:
    folder = paths.run_dir(lab) / "planted"
    return sorted(entry.name for entry in folder.iterdir() if (entry / "node").exists()) if folder.is_dir() else []


def in_order(lab: str) -> list[str]:
    """As they were planted, so that they can be taken back the other way round."""
    return sorted(names(lab), key=lambda name: (paths.run_dir(lab) / "planted" / name / "node").stat().st_mtime_ns)


def node_of(lab: str, name: str) -> str:
    return (paths.run_dir(lab) / "planted" / name / "node").read_text()


def truths(lab: str) -> list[truth.Truth]:
    return [truth.read(name, node_of(lab, name)) for name in names(lab)]


def plant(lab: Lab, name: str, node: str | None) -> None:
    about = truth.read(name, node)
    _refuse_clash(lab, about)
    journal = Journal(lab.name, name)
    shutil.rmtree(journal.folder, ignore_errors=True)
    journal.folder.mkdir(parents=True)
    (journal.folder / "node").write_text(about.node)
    try:
        _run(lab, name, about.node, "plant")
    except BaseException:
        unplant(lab, name)
        raise


def unplant(lab: Lab, name: str) -> None:
    journal = Journal(lab.name, name)
    if not (journal.folder / "node").exists():
        raise SystemExit(
            f"lab: {name} is not planted in {lab.name}; planted: {', '.join(names(lab.name)) or 'nothing'}"
        )
    if (truth.folder_of(name) / "unplant").exists():
        _run(lab, name, node_of(lab.name, name), "unplant")
    entries = journal.entries()
    restarts = [entry for entry in entries if entry["do"] == "restart"]
    for entry in [
        one for one in reversed(entries) if one not in restarts
    ] + restarts:  # services start on what is put back
        changes.undo(lab, entry)
    shutil.rmtree(journal.folder)


def _refuse_clash(lab: Lab, about: truth.Truth) -> None:
    lab.pid(about.node)
    for other in truths(lab.name):
        if other.name == about.name:
            raise SystemExit(f"lab: {about.name} is planted already, on {other.node}")
        if about.name in other.excludes or other.name in about.excludes:
            raise SystemExit(f"lab: {about.name} can't be planted beside {other.name} (its truth.yaml says so)")


def _run(lab: Lab, name: str, node: str, what: str) -> None:
    script = truth.folder_of(name) / what
    environment = dict(
        os.environ,
        LAB=lab.name,
        FAULT=name,
        NODE=node,
        NODE_ROOT=str(lab.root(node)),
        NODES=" ".join(lab.nodes),
        PATH=f"{paths.LAB / 'tools'}:{os.environ['PATH']}",
    )
    done = subprocess.run([script], env=environment, cwd=script.parent, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise SystemExit(f"lab: {script} ended with {done.returncode}; nothing of it was left planted")
