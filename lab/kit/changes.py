"""The changes that a plant script may make, each with its way back. Where two faults may touch one file (a kernel log,
the GPUs' scenario, slurm.conf) the way back undoes that line alone; elsewhere the whole file is put back, and a second
fault on the same file is refused.

keep            save a file, folder or link as it is (or that there is none), before it is changed
set_line        one key of a settings file, keeping the rest
add_kernel_line a record at the end of a machine's kernel log
cover           lay a file over one that can't be written, such as those of /proc
undo            the way back of any of these
"""

import os
import shutil
import subprocess
from pathlib import Path

from . import lines, services
from .lab import Lab


def inside(lab: Lab, machine: str, path: str) -> Path:
    return Path(f"{lab.root(machine)}/{path.lstrip('/')}")


def keep(lab: Lab, journal, others, machine: str, path: str) -> Path:
    target = inside(lab, machine, path)
    for name, entries in others.items():
        if any(
            entry.get("do") == "restore" and entry["machine"] == machine and entry["path"] == path for entry in entries
        ):
            raise SystemExit(
                f"lab: {machine}:{path} is changed by {name} already; choose another node, or say `excludes`"
            )
    if any(entry.get("path") == path and entry["machine"] == machine for entry in journal.entries()):
        return target
    saved = None
    if os.path.lexists(target):
        saved = journal.spare()
        if target.is_dir() and not target.is_symlink():
            shutil.copytree(target, saved, symlinks=True)
        else:
            shutil.copy2(target, saved, follow_symlinks=False)
    status = target.lstat() if saved else None
    journal.add(
        {
            "do": "restore",
            "machine": machine,
            "path": path,
            "saved": str(saved) if saved else None,
            "made": _would_make(lab, machine, path),
            "owner": [status.st_uid, status.st_gid] if status else None,
        }
    )
    return target


def _would_make(lab: Lab, machine: str, path: str) -> str:
    """The topmost of the folders that writing this path makes, or the path itself: what to take away again."""
    missing = [
        parent
        for parent in Path("/" + path.strip("/")).parents
        if not os.path.lexists(inside(lab, machine, str(parent)))
    ]
    return str(missing[-1]) if missing else path


def _restore(lab: Lab, entry: dict) -> None:
    saved = Path(entry["saved"]) if entry["saved"] else None
    target = inside(lab, entry["machine"], entry["path"] if saved else entry["made"])
    if saved and saved.is_file() and not saved.is_symlink() and target.is_file() and not target.is_symlink():
        target.write_bytes(saved.read_bytes())  # in place: something may be bound over it, or hold it open
        target.chmod(saved.stat().st_mode & 0o7777)
        os.chown(target, *entry["owner"])
        return
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    elif os.path.lexists(target):
        target.unlink()
    if saved and saved.is_dir() and not saved.is_symlink():
        shutil.copytree(saved, target, symlinks=True)
    elif saved:
        shutil.copy2(saved, target, follow_symlinks=False)
        os.chown(target, *entry["owner"], follow_symlinks=False)


def set_line(lab: Lab, journal, machine: str, path: str, section: str, key: str, value: str | None) -> None:
    """KEY=VALUE in [section] (or in a file without sections); None takes the line away."""
    file = inside(lab, machine, path)
    text, old = lines.with_value(file.read_text() if file.exists() else "", section, key, value)
    journal.add({"do": "line", "machine": machine, "path": path, "section": section, "key": key, "old": old})
    file.write_text(text)


def add_kernel_line(lab: Lab, journal, machine: str, level: int, text: str) -> None:
    log = inside(lab, machine, "/dev/kmsg")
    last = [line for line in log.read_text().splitlines() if line and line[0].isdigit()][-1].split(",")
    record = f"{level},{int(last[1]) + 1},{int(last[2]) + 1_000_003},-;{text}"
    journal.add({"do": "kmsg", "machine": machine, "record": record})
    with open(log, "a") as out:
        out.write(record + "\n")


def _drop_kernel_line(lab: Lab, entry: dict) -> None:
    log = inside(lab, entry["machine"], "/dev/kmsg")
    log.write_text(
        "".join(line for line in log.read_text().splitlines(keepends=True) if line.rstrip("\n") != entry["record"])
    )


def cover(lab: Lab, journal, machine: str, path: str, text: str) -> None:
    source = f"/run/covered/{path.strip('/').replace('/', '_')}"
    file = inside(lab, machine, source)
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    journal.add({"do": "run", "machine": machine, "call": ["umount", path]})
    run(lab, machine, ["mount", "--bind", source, path])


def run(lab: Lab, machine: str, call: list[str]) -> None:
    subprocess.run(lab.enter(machine, call), check=True, stdin=subprocess.DEVNULL)


def _undo_line(lab: Lab, entry: dict) -> None:
    file = inside(lab, entry["machine"], entry["path"])
    file.write_text(lines.put_back(file.read_text(), entry["section"], entry["key"], entry["old"]))


def _undo_bytes(lab: Lab, entry: dict) -> None:
    with open(inside(lab, entry["machine"], entry["path"]), "r+b") as file:
        file.seek(entry["offset"])
        file.write(bytes.fromhex(entry["value"]))


WAYS_BACK = {
    "restore": _restore,
    "line": _undo_line,
    "kmsg": _drop_kernel_line,
    "bytes": _undo_bytes,
    "run": lambda lab, entry: run(lab, entry["machine"], entry["call"]),
    "restart": lambda lab, entry: services.restart(lab, entry["machine"], entry["service"]),
}


def undo(lab: Lab, entry: dict) -> None:
    WAYS_BACK[entry["do"]](lab, entry)
