"""What may be said of a lab with nothing planted (sound.yaml): passes, and what is listed there with its reason.

read        the list, read strictly
strangers   verdicts in, what is wrong with them out: statuses that aren't allowed, allowed ones that weren't said, and
            too few passes. A build that says unknown of everything is as wrong as one that says fail.
"""

from dataclasses import dataclass
from fnmatch import fnmatchcase

import yaml

from . import paths
from .scoring import Verdict

KINDS = ("unknown", "not_applicable")


@dataclass(frozen=True)
class Allowed:
    status: str
    check: str
    subject: str
    why: str

    def speaks_of(self, verdict: Verdict) -> bool:
        return (self.status, self.check) == (verdict.status, verdict.check) and fnmatchcase(verdict.subject, self.subject)


@dataclass(frozen=True)
class Sound:
    passes: int
    allowed: tuple[Allowed, ...]


class BadSound(Exception):
    pass


def read() -> Sound:
    return parse((paths.LAB / "sound.yaml").read_text())


def parse(text: str) -> Sound:
    try:
        content = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise BadSound(f"sound.yaml: expected YAML, got something else: {error}") from None
    if not isinstance(content, dict) or set(content) != {"passes", *KINDS} or type(content["passes"]) is not int:
        raise BadSound(f"sound.yaml: expected a number `passes` and lists {' and '.join(KINDS)}, got {content!r:.200}")
    return Sound(content["passes"], tuple(_allowed(kind, raw) for kind in KINDS for raw in content[kind] or []))


def _allowed(kind: str, raw) -> Allowed:
    keys = ("check", "subject", "why")
    if not isinstance(raw, dict) or set(raw) != set(keys) or not all(isinstance(raw[key], str) and raw[key] for key in keys):
        raise BadSound(f"sound.yaml: expected {', '.join(keys)} as texts under {kind}, got {raw!r:.200}")
    return Allowed(kind, raw["check"], raw["subject"], raw["why"])


def strangers(sound: Sound, verdicts: list[Verdict]) -> list[str]:
    found = [
        f"{one.check} on {one.subject or 'the cluster'} is {one.status}: {one.why}"
        for one in verdicts
        if one.status != "pass" and not any(allowed.speaks_of(one) for allowed in sound.allowed)
    ]
    found += [
        f"{allowed.check} on {allowed.subject} should be {allowed.status}: {allowed.why}"
        for allowed in sound.allowed
        if not any(allowed.speaks_of(one) for one in verdicts)
    ]
    passes = sum(one.status == "pass" for one in verdicts)
    if passes < sound.passes:
        found.append(f"expected {sound.passes} passes or more, got {passes}")
    return found
