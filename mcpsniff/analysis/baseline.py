"""Faults that are known already: a fingerprint of each finding, a file of them, and a report without them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import orjson

from mcpsniff.errors import McpsniffError

from .report import Data, Report, summary

FORMAT = "mcpsniff-baseline"
VERSION = 1
KEPT_KEYS = ("fingerprint", "rule", "severity", "violator", "message")  # the last four for people who read the file


def dump(report: Report) -> bytes:
    """Gives the file that names every finding of a report, each fault once."""
    found = {f["fingerprint"]: {key: f[key] for key in KEPT_KEYS} for s in report.sessions for f in s["findings"]}
    known = [found[fingerprint] for fingerprint in sorted(found)]
    document = {"format": FORMAT, "version": VERSION, "findings": known}
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def read(path: str) -> frozenset[str]:
    """Gives the fingerprints of a file; raises McpsniffError where it is no baseline."""
    try:
        with open(path, "rb") as file:
            document = orjson.loads(file.read())
    except OSError as error:
        raise McpsniffError(f"{path} cannot be read: {error.strerror}.") from None
    except orjson.JSONDecodeError:
        document = None
    match document:
        case {"format": "mcpsniff-baseline", "version": 1, "findings": [*known]}:
            return frozenset(str(one["fingerprint"]) for one in known if isinstance(one, dict) and "fingerprint" in one)
    raise McpsniffError(f"{path} is no baseline: write one with --write-baseline.")


def without(report: Report, path: str, known: Collection[str]) -> Report:
    """Gives the report without findings whose fingerprint is known; says how many those were."""
    sessions = tuple(_only_new(session, known) for session in report.sessions)
    hidden = sum(map(_count, report.sessions)) - sum(map(_count, sessions))
    return replace(
        report, sessions=sessions, summary=summary(sessions), baseline={"file": path, "known_findings": hidden}
    )


def _only_new(session: Data, known: Collection[str]) -> Data:
    return {**session, "findings": [f for f in session["findings"] if f["fingerprint"] not in known]}


def _count(session: Data) -> int:
    return len(session["findings"])
