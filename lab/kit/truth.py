"""What is known of a fault or a decoy: its truth.yaml, read strictly, so that a slip in it can't hide a miss.

    what: one or two sentences of knowledge
    node: n2                      where it is planted unless said otherwise; `head` is fine
    expect:                       what must be said once it is planted
      - {check: security.umad-closed, subject: node/n2, status: fail}
    also: [...]                   necessary side effects: may be said, need not
    expect_not: [...]             what must not be said (decoys)
    excludes: [other-fault]       can't be planted together with these

A subject is written without the cluster's prefix; "" is the cluster itself. `descendant: true` means on this subject or
below it. A status may be a list; `gone` is a verdict that is no longer given. The check "*" stands for all, where a thing can no longer be asked (unknown). When
planted on another node than the default, that node's name takes its place.

Truth     one fault's or decoy's
read      by name, for a node
all_of    every name under faults/ or decoys/
"""

from dataclasses import dataclass
from pathlib import Path

import yaml

from . import paths

STATUSES = {"pass", "warn", "fail", "unknown", "not_applicable"}
GONE = "gone"  # of a claim only: the verdict that the sound lab has is no longer given
KINDS = {"fault": paths.LAB / "faults", "decoy": paths.LAB / "decoys"}


@dataclass(frozen=True)
class Claim:
    check: str
    subject: str
    statuses: frozenset[str]
    descendant: bool = False

    def speaks_of(self, check: str, subject: str) -> bool:
        inside = self.descendant and (subject.startswith(self.subject + "/") or not self.subject)
        return self.check in (check, "*") and (subject == self.subject or inside)


@dataclass(frozen=True)
class Truth:
    name: str
    kind: str
    what: str
    node: str
    expect: tuple[Claim, ...]
    also: tuple[Claim, ...]
    expect_not: tuple[Claim, ...]
    excludes: tuple[str, ...]


class BadTruth(Exception):
    pass


def all_of(kind: str) -> list[str]:
    return sorted(folder.name for folder in KINDS[kind].iterdir() if (folder / "truth.yaml").exists())


def folder_of(name: str) -> Path:
    for folder in KINDS.values():
        if (folder / name / "truth.yaml").exists():
            return folder / name
    raise SystemExit(
        f"lab: expected the name of a fault or decoy, got {name!r}; lab/list and lab/list --decoys list them"
    )


def read(name: str, node: str | None = None) -> Truth:
    folder = folder_of(name)
    kind = "fault" if folder.parent == KINDS["fault"] else "decoy"
    return parse(name, kind, (folder / "truth.yaml").read_text(), node)


def parse(name: str, kind: str, text: str, node: str | None = None) -> Truth:
    try:
        content = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise BadTruth(f"{name}/truth.yaml: expected YAML, got something else: {error}") from None
    known = {"what", "node", "expect", "also", "expect_not", "excludes"}
    if not isinstance(content, dict) or not content.get("what") or not content.get("node") or set(content) - known:
        raise BadTruth(
            f"{name}/truth.yaml: expected `what`, `node` and among {', '.join(sorted(known))}, got {content!r:.200}"
        )
    home = content["node"]
    claims = {
        key: tuple(_claim(name, one, home, node or home) for one in content.get(key) or [])
        for key in ("expect", "also", "expect_not")
    }
    if not claims["expect"] and not claims["expect_not"]:
        raise BadTruth(f"{name}/truth.yaml: expected at least one claim under `expect` or `expect_not`, got none")
    return Truth(
        name, kind, content["what"].strip(), node or home, excludes=tuple(content.get("excludes") or ()), **claims
    )


def _claim(name: str, raw, home: str, node: str) -> Claim:
    if (
        not isinstance(raw, dict)
        or set(raw) - {"check", "subject", "status", "descendant"}
        or not {"check", "status"} <= set(raw)
    ):
        raise BadTruth(f"{name}/truth.yaml: expected {{check, subject, status}}, got {raw!r}")
    statuses = frozenset([raw["status"]] if isinstance(raw["status"], str) else raw["status"])
    if statuses - STATUSES - {GONE}:
        raise BadTruth(
            f"{name}/truth.yaml: expected a status among {', '.join(sorted(STATUSES | {GONE}))}, got {raw['status']!r}"
        )
    if raw["check"] == "*" and statuses & {"fail", "warn"}:
        raise BadTruth(
            f'{name}/truth.yaml: expected a check id with fail or warn; "*" is for what can no longer be learned'
        )
    parts = [node if part == home else part for part in str(raw.get("subject", "")).split("/")]
    # A claim without a subject is about all of them.
    return Claim(raw["check"], "/".join(parts), statuses, bool(raw.get("descendant", "subject" not in raw)))
