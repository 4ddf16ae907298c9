"""One KEY = VALUE line of a settings file, with sections or without: changed so that it can be put back exactly, also
when other lines of the file were changed in the meantime.

with_value     the text with that key's value (None takes the line away), and what to remember
put_back       the text with that line as it was
"""

import re


def _find(lines: list[str], section: str, key: str) -> tuple[int | None, int | None]:
    """The key's line in [section] ("" is before any header), and where a new line of the section would go."""
    current, at, end = "", None, 0 if not section else None
    for number, line in enumerate(lines):
        header = re.fullmatch(r"\s*\[(.+)\]\s*", line)
        current = header[1] if header else current
        if current == section:
            end = number + 1 if line.strip() else end
            if re.match(rf"\s*{re.escape(key)}\s*=", line):
                at = number
    return at, end


def with_value(text: str, section: str, key: str, value: str | None) -> tuple[str, dict]:
    lines = text.splitlines()
    at, end = _find(lines, section, key)
    old = {"at": at, "line": None if at is None else lines[at], "made_section": False}
    new = [] if value is None else [f"{key}{' = ' if ' = ' in text else '='}{value}"]
    if at is not None:
        lines[at : at + 1] = new
    elif new and end is None:
        lines += [f"[{section}]", *new]
        old["made_section"] = True
    elif new:
        lines[end:end] = new
    return _joined(lines), old


def put_back(text: str, section: str, key: str, old: dict) -> str:
    lines = text.splitlines()
    at, _ = _find(lines, section, key)
    was = [] if old["line"] is None else [old["line"]]
    if at is not None:
        lines[at : at + 1] = was
    elif was:
        lines[old["at"] : old["at"]] = was
    if old["made_section"] and f"[{section}]" in lines:
        lines.remove(f"[{section}]")
    return _joined(lines)


def _joined(lines: list[str]) -> str:
    return "".join(line + "\n" for line in lines)
