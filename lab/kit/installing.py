"""Bringing a program of this machine to a machine of the lab: both are Debian 12, so its libraries can come along.

install            a prefix with bin/assay, to /opt/assay
bring_libraries    what its programs need and this machine of the lab lacks
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

PLACE, LIBRARIES = "opt/assay", "opt/assay-libraries"


def install(root: Path, prefix: Path) -> None:
    shutil.rmtree(root / PLACE, ignore_errors=True)
    shutil.copytree(prefix, root / PLACE, symlinks=True)
    bring_libraries(root, prefix)
    link = root / "usr/local/bin/assay"
    link.unlink(missing_ok=True)
    link.symlink_to(f"/{PLACE}/bin/assay")


def bring_libraries(root: Path, prefix: Path) -> None:
    (root / LIBRARIES).mkdir(parents=True, exist_ok=True)
    programs = [*prefix.glob("bin/*"), *prefix.glob("libexec/assay/agents/*/*")]
    for library in {library for program in programs for library in _needed(program)}:
        if not (root / str(library).lstrip("/")).exists():
            shutil.copy(library, root / LIBRARIES / library.name)
    (root / "etc/ld.so.conf.d/assay.conf").write_text(f"/{LIBRARIES}\n")
    subprocess.run(["ldconfig", "-r", root], check=True)


def _needed(program: Path) -> list[Path]:
    """As the loader of this machine resolves them; a script or a foreign program needs none."""
    said = subprocess.run(["ldd", program], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}).stdout
    return [Path(found) for found in re.findall(r"=> (/\S+)", said)]
