"""Comparing a report with what is planted.

Every claim under `expect` must be met by a verdict; a fail or a warn that no planted truth expects or allows is false.

Verdict      check, subject without the cluster's prefix, status, why
read_report  a report.json or a run's folder
score        truths and verdicts in, the result out
strays       what one truth changed in verdicts that it doesn't speak of
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from .truth import GONE, STATUSES, Truth

SCHEMA = "assay.report/1"
BAD = {"fail", "warn"}


@dataclass(frozen=True)
class Verdict:
    check: str
    subject: str
    status: str
    why: str = ""


class BadReport(Exception):
    pass


def read_report(path: Path) -> list[Verdict]:
    file = path / "report.json" if path.is_dir() else path
    try:
        report = json.loads(file.read_text())
    except OSError as error:
        raise BadReport(f"expected a report.json or a run's folder, got {path}: {error.strerror}") from None
    except ValueError as error:
        raise BadReport(f"expected JSON in {file}, got something else: {error}") from None
    told = report.get("schema") if isinstance(report, dict) else type(report).__name__
    if not isinstance(report, dict) or report.get("schema") != SCHEMA or not isinstance(report.get("verdicts"), list):
        raise BadReport(f"expected schema {SCHEMA!r} with verdicts in {file}, got {told!r}")
    return [_verdict(raw, file) for raw in report["verdicts"]]


def _verdict(raw, file) -> Verdict:
    fields = [raw.get(key) if isinstance(raw, dict) else None for key in ("check", "subject", "status")]
    if not all(isinstance(field, str) for field in fields) or fields[2] not in STATUSES:
        raise BadReport(f"expected verdicts with check, subject and a known status in {file}, got {raw!r:.200}")
    return Verdict(fields[0], bare_subject(fields[1]), fields[2], str(raw.get("why", "")))


def bare_subject(subject: str) -> str:
    """cluster/acme/node/n1 → node/n1; cluster/acme → the empty subject."""
    return re.sub(r"^cluster/[^/]+(/|$)", "", subject)


def score(truths: list[Truth], verdicts: list[Verdict]) -> dict:
    faults = [truth for truth in truths if truth.kind == "fault"]
    missed = [miss for truth in truths for miss in _misses(truth, verdicts)]
    failed = {miss["planted"] for miss in missed}
    return {
        "planted": len(faults),
        "decoys": len(truths) - len(faults),
        "found": [truth.name for truth in faults if truth.name not in failed],
        "missed": missed,
        "false": [
            _as_false(verdict) for verdict in verdicts if verdict.status in BAD and not _is_expected(verdict, truths)
        ]
        + [breach for truth in truths for breach in _breaches(truth, verdicts)],
    }


def _misses(truth: Truth, verdicts: list[Verdict]) -> list[dict]:
    misses = []
    for claim in truth.expect:
        spoken = [verdict for verdict in verdicts if claim.speaks_of(verdict.check, verdict.subject)]
        if not any(verdict.status in claim.statuses for verdict in spoken):
            misses.append(
                {
                    "planted": truth.name,
                    "check": claim.check,
                    "subject": claim.subject,
                    "expected": sorted(claim.statuses),
                    "got": sorted({verdict.status for verdict in spoken}),
                }
            )
    return misses


def _is_expected(verdict: Verdict, truths: list[Truth]) -> bool:
    claims = [claim for truth in truths for claim in truth.expect + truth.also]
    return any(claim.speaks_of(verdict.check, verdict.subject) and verdict.status in claim.statuses for claim in claims)


def _breaches(truth: Truth, verdicts: list[Verdict]) -> list[dict]:
    """What a decoy says must not be said, when it isn't false already for being a fail or a warn."""
    return [
        {**_as_false(verdict), "decoy": truth.name}
        for claim in truth.expect_not
        for verdict in verdicts
        if claim.speaks_of(verdict.check, verdict.subject) and verdict.status in claim.statuses - BAD
    ]


def _as_false(verdict: Verdict) -> dict:
    return {"check": verdict.check, "subject": verdict.subject, "status": verdict.status, "why": verdict.why}


def strays(about: Truth, sound: list[Verdict], now: list[Verdict]) -> list[dict]:
    """Verdicts that are another than on the sound lab, that came, or that went, without the truth's word for it."""
    before, after = ({(one.check, one.subject): one.status for one in said} for said in (sound, now))
    claims = about.expect + about.also
    return [
        {"check": check, "subject": subject, "was": before.get((check, subject)), "now": status}
        for check, subject in sorted(before.keys() | after.keys())
        if (status := after.get((check, subject), GONE)) != before.get((check, subject))
        and not any(claim.speaks_of(check, subject) and status in claim.statuses for claim in claims)
    ]
