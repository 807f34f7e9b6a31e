"""What is wrong with an exchange, on its flow in mitmproxy: in its comment, by its mark, in lines for our view.

Faults and findings lie in the flow's metadata, which mitmproxy saves. Comment and mark are made of them, unless
somebody else changes them: what the user sets, or takes away, stays so.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from mitmproxy import http

MARK = ":warning:"  # one of mitmproxy's emoji
KEPT = 50  # findings of one flow that are kept

_PREFIX = "mcpsniff: "
_FAULTS = "mcpsniff_faults"  # sentences
_FINDINGS = "mcpsniff_findings"  # the values of a `Finding` each


class Finding(NamedTuple):
    """What a rule found."""

    seq: int  # record of the capture
    rule: str  # id
    severity: str  # error, warning or info
    message: str  # one sentence, safe to show


class Remarks(NamedTuple):
    """All that is said of one flow."""

    faults: list[str]
    findings: list[Finding]

    @property
    def comment(self) -> str:
        """One line; empty where nothing is wrong."""
        said = [*self.faults, *dict.fromkeys(finding.rule for finding in self.findings)]
        return _PREFIX + "; ".join(said) if said else ""

    @property
    def mark(self) -> str:
        """Advice alone marks no flow."""
        return MARK if self.faults or any(finding.severity != "info" for finding in self.findings) else ""

    def lines(self) -> Iterator[str]:
        """One for each fault and finding."""
        yield from (f"! {fault}" for fault in self.faults)
        yield from dict.fromkeys(f"! {found.severity} {found.rule}: {found.message}" for found in self.findings)


def of(flow: http.HTTPFlow) -> Remarks:
    """What is said of a flow; nothing where its metadata are not as they were left."""
    faults: Any = flow.metadata.get(_FAULTS, ())
    findings: Any = flow.metadata.get(_FINDINGS, ())
    try:
        return Remarks([str(fault) for fault in faults], [_finding(*values) for values in findings])
    except (TypeError, ValueError):
        return Remarks([], [])


def forget(flow: http.HTTPFlow) -> None:
    """Says nothing of it any more: it begins, perhaps once more."""
    _put(flow, Remarks([], []))


def fault(flow: http.HTTPFlow, faults: Sequence[str]) -> None:
    """Says what was seen at first sight."""
    _put(flow, of(flow)._replace(faults=list(faults)))


def find(flow: http.HTTPFlow, finding: Finding) -> None:
    """Says what a rule found."""
    known = of(flow)
    if finding not in known.findings and len(known.findings) < KEPT:
        _put(flow, known._replace(findings=[*known.findings, finding]))


def withdraw(flow: http.HTTPFlow, finding: Finding) -> None:
    """Takes back what a rule found."""
    known = of(flow)
    _put(flow, known._replace(findings=[one for one in known.findings if one != finding]))


def _put(flow: http.HTTPFlow, remarks: Remarks) -> None:
    before = of(flow)
    for key, value in ((_FAULTS, remarks.faults), (_FINDINGS, [list(one) for one in remarks.findings])):
        if value:
            flow.metadata[key] = value
        else:
            flow.metadata.pop(key, None)
    if flow.comment == before.comment:
        flow.comment = remarks.comment
    if flow.marked == before.mark:
        flow.marked = remarks.mark


def _finding(seq: int, rule: str, severity: str, message: str) -> Finding:
    return Finding(int(seq), str(rule), str(severity), str(message))
