"""Where things lie: the source tree, the cache, and what a running lab keeps on the host.

A running lab keeps only one folder on the host (RUN/NAME); every mount, interface and process of it lives in
namespaces that one process holds, so that ending that process ends the lab.
"""

import os
import re
from pathlib import Path

LAB = Path(__file__).resolve().parent.parent
CACHE = Path(os.environ.get("ASSAY_LAB_CACHE", "/var/cache/assay-lab"))
RUN = Path(os.environ.get("ASSAY_LAB_RUN", "/run/assay-lab"))
DEFAULT_NAME = os.environ.get("ASSAY_LAB_NAME", "lab")


def checked_name(name: str) -> str:
    """A lab's name becomes a folder and a cgroup: only letters, digits and hyphens."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,30}", name):
        raise SystemExit(f"lab: expected a name of lower-case letters, digits and hyphens (at most 31), got {name!r}")
    return name


def run_dir(name: str) -> Path:
    return RUN / checked_name(name)
