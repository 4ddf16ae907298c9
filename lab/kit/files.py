"""Writing many small files below a root: the fake trees and the settings of a machine are made of them.

put          one file, with its folders
put_all      a folder's worth, from a mapping
link         a symbolic link, with its folders
fill         copies a template tree, with @WORDS@ replaced
"""

import os
import shutil
from pathlib import Path


def put(path, content="", mode: int = 0o644) -> None:
    data = content if isinstance(content, bytes) else str(content).encode()
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    try:
        os.write(descriptor, data)
        os.fchmod(descriptor, mode)
    finally:
        os.close(descriptor)


def put_all(folder, content: dict, mode: int = 0o444) -> None:
    """Keys are paths below the folder; a line of text gets the newline that the kernel would end it with."""
    for name, value in content.items():
        text = value if isinstance(value, bytes) else f"{value}\n"
        put(f"{folder}/{name}", text, mode)


def link(path, target: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.symlink(target, path)


def fill(template: Path, root: Path, words: dict[str, str]) -> None:
    for source in template.rglob("*"):
        if source.is_dir():
            continue
        text = source.read_text()
        for word, value in words.items():
            text = text.replace(f"@{word}@", value)
        target = root / source.relative_to(template)
        put(target, text, 0o644)
        shutil.copymode(source, target)
