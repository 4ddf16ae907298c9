"""The commands that a plant script finds on its PATH (tools/); each is a function here. All act on $NODE in $LAB and
note in the journal of $FAULT how to take it back. $NODES are all nodes: a fault of several sets NODE to each in turn.

    in_node CMD...          run there                  in_head CMD...     run on the head
    set_file PATH [TEXT]    new content (else stdin)   remove PATH        take away
    set_mode PATH MODE      e.g. 0666                  copy_file SRC PATH from the fault's folder
    make_char PATH MAJOR MINOR MODE                    a device node
    cover_file PATH TEXT    lay over what can't be written (/proc)
    set_line PATH KEY VALUE [SECTION]                  one line of a settings file; VALUE - removes it
    set_gpu N|all KEY VALUE                            the GPUs' scenario
    set_config PATH OFFSET HEX                         bytes of a PCI device's config (PATH below /sys)
    kernel_line TEXT [LEVEL]                           in the kernel log
    set_slurm KEY VALUE [FILE]                         slurm.conf everywhere, then reconfigure
    restart SERVICE         one of services.yaml       on_undo CMD...     run there when it is taken back
"""

import os
import subprocess
import sys

from . import changes, files, planted, services
from .lab import Lab


def main() -> None:
    name = os.path.basename(sys.argv[0])
    try:
        command, lab, node = COMMANDS[name], Lab.of(os.environ["LAB"]), os.environ["NODE"]
    except KeyError as missing:
        raise SystemExit(
            f"{name}: expected to be called by a plant script of the lab, but {missing} is not known"
        ) from None
    command(Context(lab, node, os.environ["FAULT"]), *sys.argv[1:])


class Context:
    def __init__(self, lab: Lab, node: str, fault: str) -> None:
        self.lab, self.node, self.journal = lab, node, planted.Journal(lab.name, fault)
        self.others = {
            name: planted.Journal(lab.name, name).entries() for name in planted.names(lab.name) if name != fault
        }

    def keep(self, path: str):
        return changes.keep(self.lab, self.journal, self.others, self.node, path)


def in_node(context, *call) -> None:
    raise SystemExit(subprocess.run(context.lab.enter(context.node, list(call))).returncode)


def in_head(context, *call) -> None:
    raise SystemExit(subprocess.run(context.lab.enter("head", list(call))).returncode)


def set_file(context, path, text=None) -> None:
    target = context.keep(path)
    content = sys.stdin.buffer.read() if text is None else (text + "\n").encode()
    if target.exists():
        target.write_bytes(content)
    else:
        files.put(target, content)


def remove(context, path) -> None:
    target = context.keep(path)
    if target.is_dir() and not target.is_symlink():
        changes.shutil.rmtree(target)
    else:
        target.unlink()


def set_mode(context, path, mode) -> None:
    target = changes.inside(context.lab, context.node, path)
    old = f"{target.stat().st_mode & 0o7777:o}"
    context.journal.add({"do": "run", "machine": context.node, "call": ["chmod", old, path]})
    target.chmod(int(mode, 8))


def copy_file(context, source, path) -> None:
    target = context.keep(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    changes.shutil.copy(source, target)


def make_char(context, path, major, minor, mode) -> None:
    from . import devices

    target = context.keep(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    devices.char(target, int(major), int(minor), int(mode, 8))


def cover_file(context, path, text) -> None:
    changes.cover(context.lab, context.journal, context.node, path, text + "\n")


def set_line(context, path, key, value, section="") -> None:
    changes.set_line(context.lab, context.journal, context.node, path, section, key, None if value == "-" else value)


def set_gpu(context, number, key, value) -> None:
    section = "all" if number == "all" else f"gpu {int(number)}"
    changes.set_line(
        context.lab,
        context.journal,
        context.node,
        "/etc/assay-lab/gpus.conf",
        section,
        key,
        None if value == "-" else value,
    )


def set_config(context, path, offset, text) -> None:
    """In place, with its own way back, so that two faults may touch one device."""
    target, at, new = changes.inside(context.lab, context.node, f"/sys/{path}"), int(offset, 0), bytes.fromhex(text)
    with open(target, "r+b") as file:
        file.seek(at)
        old = file.read(len(new))
        context.journal.add(
            {"do": "bytes", "machine": context.node, "path": f"/sys/{path}", "offset": at, "value": old.hex()}
        )
        file.seek(at)
        file.write(new)


def kernel_line(context, text, level="3") -> None:
    changes.add_kernel_line(context.lab, context.journal, context.node, int(level), text)


def set_slurm(context, key, value, file="slurm.conf") -> None:
    context.journal.add({"do": "run", "machine": "head", "call": ["scontrol", "reconfigure"]})
    for machine in context.lab.machines:
        changes.set_line(
            context.lab, context.journal, machine, f"/etc/slurm/{file}", "", key, None if value == "-" else value
        )
    changes.run(context.lab, "head", ["scontrol", "reconfigure"])


def restart(context, name) -> None:
    context.journal.add({"do": "restart", "machine": context.node, "service": name})
    services.restart(context.lab, context.node, name)


def on_undo(context, *call) -> None:
    context.journal.add({"do": "run", "machine": context.node, "call": list(call)})


COMMANDS = {
    command.__name__: command
    for command in (
        in_node,
        in_head,
        set_file,
        remove,
        set_mode,
        copy_file,
        make_char,
        cover_file,
        set_line,
        set_gpu,
        set_config,
        kernel_line,
        set_slurm,
        restart,
        on_undo,
    )
}
