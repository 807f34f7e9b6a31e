"""The Report: everything that a renderer may know, as plain data (REPORT.md).

Built once from the results of all captures; renderers turn it into text and never look further back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcpsniff import __version__

from .engine import CaptureResult
from .findings import Finding


@dataclass(frozen=True, slots=True)
class Report:
    """All captures of one call."""

    tool: str
    captures: tuple[Mapping[str, Any], ...]
    sessions: tuple[Mapping[str, Any], ...]


def build(results: list[tuple[str, CaptureResult]]) -> Report:
    """Gives the report on captures, each with the name of its file."""
    captures = tuple(_capture(name, result) for name, result in results)
    sessions = tuple(s for _, result in results for s in _sessions(result))
    return Report(f"mcpsniff {__version__}", captures, sessions)


def _capture(name: str, result: CaptureResult) -> Mapping[str, Any]:
    return {
        "file": name,
        "id": result.header.id,
        "transport": result.header.transport,
        "records": result.records,
        "complete": result.complete,
        "gaps": result.gaps,
    }


def _sessions(result: CaptureResult) -> list[Mapping[str, Any]]:
    return [
        {
            "id": one.session.key,
            "capture": result.header.id,
            "transport": one.session.transport,
            "era": one.session.era.verdict,
            "client_era": one.session.era.client,
            "server_era": one.session.era.server_side,
            "revision": one.session.era.revision,
            **one.conversation.metrics.result(),
            "findings": [_finding(f) for f in one.findings],
        }
        for one in result.sessions
    ]


def _finding(finding: Finding) -> Mapping[str, Any]:
    return {
        "rule": finding.rule,
        "title": finding.title,
        "severity": finding.severity,
        "violator": finding.violator,
        "seq": list(finding.seq),
        "t": finding.t,
        "message": finding.message,
        "evidence": dict(finding.evidence),
        "spec": list(finding.spec),
        "revision": finding.revision,
        "count": finding.count,
        "confidence": finding.confidence,
    }
