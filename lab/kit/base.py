"""The Debian root that every machine of the lab shares, made once and kept in the cache.

Its folder is named by a hash of the recipe (base/ in the tree), so that a changed recipe makes a new one and an
unfinished one is never taken for whole: it is built beside its place and renamed at the end.

base_root      the root's folder, built if needed
layer          a small folder above it, built from the stand-ins' sources (compiled here)
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
from pathlib import Path

from . import paths

RECIPE = paths.LAB / "recipe"
STANDINS = paths.LAB / "standins"
LIBRARIES = f"usr/lib/{os.uname().machine}-linux-gnu"


def _key(folder: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            digest.update(str(file.relative_to(folder)).encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _once(kind: str, recipe: Path, build) -> Path:
    """One builder at a time; the second finds the first one's work."""
    paths.CACHE.mkdir(parents=True, exist_ok=True)
    place = paths.CACHE / f"{kind}-{_key(recipe)}"
    with open(paths.CACHE / f"{kind}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.is_dir():
            draft = paths.CACHE / f"{kind}.draft"
            shutil.rmtree(draft, ignore_errors=True)
            build(draft)
            os.rename(draft, place)
            _forget_others(kind, place)
    return place


def _forget_others(kind: str, kept: Path) -> None:
    """Older bases are of no use to new labs; one that a running lab stands on stays."""
    used = {file.read_text() for file in paths.RUN.glob("*/layers")}
    for other in paths.CACHE.glob(f"{kind}-*"):
        if other != kept and not any(str(other) in text for text in used):
            shutil.rmtree(other, ignore_errors=True)


def base_root(say=lambda text: None) -> Path:
    def build(draft: Path) -> None:
        say(f"making the Debian 12 base in {paths.CACHE} (once, about a minute)")
        log = paths.CACHE / "base.log"
        with open(log, "wb") as out:
            done = subprocess.run(
                [RECIPE / "make", draft], stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL
            )
        if done.returncode != 0:
            tail = "\n".join(log.read_text(errors="replace").splitlines()[-15:])
            raise SystemExit(f"lab: the base could not be made (exit {done.returncode}); the end of {log}:\n{tail}")

    return _once("base", RECIPE, build)


def layer() -> Path:
    """The stand-ins, compiled; see nvml/ and shim/ under standins/ for what each is."""

    def build(draft: Path) -> None:
        where = draft / LIBRARIES
        where.mkdir(parents=True)
        _compile(where / "libnvidia-ml.so.1", STANDINS / "nvml", ["-fvisibility=hidden"])
        _compile(where / "libassay-lab-shim.so", STANDINS / "shim", [])

    return _once("standins", STANDINS, build)


def _compile(library: Path, source: Path, options: list[str]) -> None:
    call = [
        "cc",
        "-std=gnu11",
        "-O1",
        "-Wall",
        "-Wextra",
        "-shared",
        "-fPIC",
        f"-Wl,-soname,{library.name}",
        *options,
        "-o",
        library,
        *sorted(source.glob("*.c")),
    ]
    done = subprocess.run(call, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"lab: the stand-in {library.name} does not compile:\n{done.stderr}")
