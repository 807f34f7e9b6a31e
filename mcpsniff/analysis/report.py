"""The Report: everything that a renderer may know, as plain data with the keys of docs/report.md.

Built once from the results of all captures; renderers turn it into text and never look further back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcpsniff import __version__
from mcpsniff.protocol.era import Evidence
from mcpsniff.rules.rule import SEVERITIES
from mcpsniff.rules.selection import DEFAULT_TIERS, Selection

from .compare import comparison, tool_collisions
from .findings import Finding
from .fingerprint import fingerprint
from .result import CaptureResult, SessionResult

LOSSES = ("damaged_lines", "gaps", "missing_parts", "untimed", "crashed_rules")
DAMAGED_NAMED = 20  # damaged lines of one capture that are named by number

Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Report:
    """All captures of one call; the fields are the keys of the JSON document."""

    tool: str
    tiers: tuple[int, ...]  # of the rules that took part
    captures: tuple[Data, ...]
    sessions: tuple[Data, ...]
    comparison: Data | None
    tool_collisions: tuple[Data, ...]
    caps: tuple[Data, ...]
    losses: Data
    baseline: Data | None  # whose findings are left out
    filter: Data | None  # that left findings out
    summary: Data


@dataclass(frozen=True, slots=True)
class Part:
    """What a report takes of one capture: plain data, still without what is told apart among several captures."""

    id: str  # of the capture, as its header says
    capture: Data
    sessions: tuple[Data, ...]
    servers: tuple[str, ...]  # what tells the server of each session from others
    losses: Data
    caps: Mapping[tuple[str, int], int]  # (store, limit) → dropped


def build(results: Iterable[tuple[str, CaptureResult]], tiers: tuple[int, ...] = DEFAULT_TIERS) -> Report:
    """Gives the report on captures, each with the name of its file; takes one result at a time."""
    return join((part(name, result) for name, result in results), tiers)


def part(name: str, result: CaptureResult) -> Part:
    """Gives what a report takes of the capture in a file of this name."""
    sessions = tuple(_session(one, result.selection) for one in result.sessions)
    return Part(
        id=result.header.id,
        capture=_capture(name, result),
        sessions=sessions,
        servers=tuple(_server(session, name, result) for session in sessions),
        losses=_losses(result),
        caps={(store, result.drops.limits[store]): n for store, n in result.drops.items()},
    )


def join(parts: Iterable[Part], tiers: tuple[int, ...] = DEFAULT_TIERS) -> Report:
    """Gives the report on captures, in the order of their parts."""
    captures: list[Data] = []
    sessions: list[Data] = []
    losses: dict[str, list[Data]] = {kind: [] for kind in LOSSES}
    caps: Counter[tuple[str, int]] = Counter()
    servers: dict[str, str] = {}  # session → what tells its server from others
    for one in parts:
        id_ = _unique(one.id, {str(capture["id"]) for capture in captures})
        captures.append({**one.capture, "id": id_})
        for session, server in zip(one.sessions, one.servers, strict=True):
            sessions.append({**session, "id": f"s{len(sessions) + 1}", "capture": id_})
            servers[sessions[-1]["id"]] = server
        for kind, lost in one.losses.items():
            losses[kind] += [{"capture": id_, **loss} for loss in lost]
        caps.update(one.caps)
    return Report(
        tool=f"mcpsniff {__version__}",
        tiers=tiers,
        captures=tuple(captures),
        sessions=tuple(sessions),
        comparison=comparison(sessions),
        tool_collisions=tuple(tool_collisions(sessions, servers)),
        caps=tuple({"store": store, "limit": limit, "dropped": n} for (store, limit), n in caps.items()),
        losses=losses,
        baseline=None,
        filter=None,
        summary=summary(sessions),
    )


def _unique(id_: str, taken: set[str]) -> str:
    """Gives the capture's id, or a new one where it has none or the same capture comes twice."""
    if id_ and id_ not in taken:
        return id_
    stem = f"{id_}-" if id_ else "c"
    return next(name for n in range(1, len(taken) + 2) if (name := f"{stem}{n}") not in taken)


def _capture(name: str, result: CaptureResult) -> Data:
    return {
        "file": name,
        "parts": [{"file": path, "seq": seq} for seq, path in result.files if len(result.files) > 1],
        "id": result.header.id,
        "transport": result.header.transport,
        "command": result.header.command,
        "upstream": result.header.upstream,
        "imported_from": result.header.imported_from,
        "records": result.records,
        "bytes": result.bytes_read,
        "complete": result.complete,
        "config": result.selection.source,
        "gaps": result.gaps,
    }


def _session(one: SessionResult, selection: Selection) -> Data:
    session = one.session
    figures = one.conversation.metrics.result()
    return {
        "id": session.key,
        "capture": "",
        "transport": session.transport,
        "era": session.era.verdict,
        "client_era": session.era.client,
        "server_era": session.era.server_side,
        "era_evidence": [_evidence(e) for e in sorted(session.era.evidence, key=lambda e: (-e.strength, e.seq))],
        "revision": session.era.revision,
        "complete": session.from_start and not session.cut,
        "began": "start" if session.from_start else "mid-session",
        **figures,
        "unchecked": [
            {"rule": rule, "why": why, "count": n}
            for (rule, why), n in one.conversation.drafts.unchecked.items()
            if rule in selection.shown
        ],
        "findings": [_finding(f, selection, figures) for f in one.findings if f.rule in selection.shown],
    }


def _evidence(evidence: Evidence) -> Data:
    return {"seq": evidence.seq, "side": evidence.side, "says": evidence.says, "why": evidence.why}


def _finding(finding: Finding, selection: Selection, programs: Data) -> Data:
    return {
        "rule": finding.rule,
        "title": finding.title,
        "severity": selection.severity_of(finding.rule, finding.severity),
        "violator": finding.violator,
        "seq": list(finding.seq),
        "line": finding.line,
        "t": finding.t,
        "message": finding.message,
        "where": finding.where,
        "excerpt": finding.excerpt,
        "evidence": dict(finding.evidence),
        "spec": list(finding.spec),
        "revision": finding.revision,
        "count": finding.count,
        "confidence": finding.confidence,
        "fingerprint": fingerprint(finding, programs),
    }


def _server(session: Data, name: str, result: CaptureResult) -> str:
    """Gives what tells one server from another: its own name, else how it was reached."""
    named = (session["server"] or {}).get("name")
    return named or result.header.upstream or " ".join(result.header.command or ()) or name


def _losses(result: CaptureResult) -> Data:
    """Gives what is missing of a capture, and the rules that could not be carried out, by kind."""
    lines = result.damaged[:DAMAGED_NAMED]
    count, missing = result.missing
    return {
        "damaged_lines": [{"count": result.damaged_count, "lines": lines}] if result.damaged_count else [],
        "gaps": [{"count": result.gaps, "records": result.lost_records}] if result.gaps else [],
        "missing_parts": [{"count": count, "parts": missing}] if result.missing.total else [],
        "untimed": [{"streams": result.untimed}] if result.untimed else [],
        "crashed_rules": [_crash(crash, n) for crash, n in result.crashed.items()],
    }


def _crash(crash: str, count: int) -> Data:
    rule, _, error = crash.partition(": ")
    return {"rule": rule, "error": error, "count": count}


def summary(sessions: Sequence[Data]) -> Data:
    """Gives the totals over sessions."""
    found = Counter(finding["severity"] for session in sessions for finding in session["findings"])
    return {
        "sessions": len(sessions),
        "messages": sum(session["messages"]["total"] for session in sessions),
        "findings": {severity: found[severity] for severity in reversed(SEVERITIES)},
    }
