"""A lab's own keys, made anew each time: munge's, one host key a machine, one key for its users.

ssh-keygen comes from the base, so that the host needs none; the keys' folder is bound into the base for that moment in
the keeper's mount namespace only.
"""

import os
import subprocess
from pathlib import Path

from . import files, linux


def make(folder: Path, base: str, members) -> None:
    folder.mkdir()
    files.put(folder / "munge.key", os.urandom(128), 0o400)
    names = [f"host-{member.name}" for member in members] + ["user"]
    linux.bind(folder, f"{base}/mnt")
    script = "cd /mnt && for name; do ssh-keygen -q -t ed25519 -N '' -C lab -f $name || exit; done"
    subprocess.run(["chroot", base, "sh", "-c", script, "sh", *names], check=True)
    linux.umount(f"{base}/mnt")
    known = [f"{member.name},{member.address} {(folder / f'host-{member.name}.pub').read_text()}" for member in members]
    files.put(folder / "known_hosts", "".join(known))
