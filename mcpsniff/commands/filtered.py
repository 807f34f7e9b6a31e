"""Captures read for `report --filter`: analyzed as ever, and of the findings those kept that the filter means.

A finding stays whole, with all its repeats, if one of its culprits is on a row that is meant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from mcpsniff.analysis.findings import Finding
from mcpsniff.analysis.pins import Pin
from mcpsniff.analysis.report import Report
from mcpsniff.analysis.result import CaptureResult
from mcpsniff.analysis.stream import Stream
from mcpsniff.capture.parts import Files, read_parts
from mcpsniff.query import parse
from mcpsniff.rules.selection import Selection

PROGRESS_EVERY = 1_000  # rows

Fault = tuple[str, str, str, str]  # session, rule, what tells it from other faults of the rule, violator


class Filtered:
    """Reads captures one after the other."""

    def __init__(self, expression: str) -> None:
        """Raises QueryError where the expression is none."""
        self._expression = expression
        self._meant = parse(expression)
        self._sessions = 0
        self._left_out = 0

    def read(self, files: Files, selection: Selection, progress: Callable[[int], None]) -> tuple[str, CaptureResult]:
        """Gives name and result of a capture, as `analyze` does, with the findings that are meant."""
        reader = read_parts(files)
        stream = Stream(reader, selection, self._sessions, counted=True)
        meant: set[Fault] = set()
        for number, row in enumerate(stream):
            if number % PROGRESS_EVERY == 0:
                progress(reader.bytes_read)
            if row.findings and self._meant(row.field):
                meant.update(map(_of_pin, row.findings))
        # what came too late for its row cannot be asked any more: it stays
        meant.update(_of_pin(pin) for seq in stream.late for pin in stream.findings(seq))
        self._keep(stream.result, meant)
        self._sessions += len(stream.result.sessions)
        return reader.name, stream.result

    def _keep(self, result: CaptureResult, meant: set[Fault]) -> None:
        for one in result.sessions:
            shown = [finding for finding in one.findings if finding.rule in result.selection.shown]
            one.findings = [finding for finding in shown if _of_finding(one.session.key, finding) in meant]
            self._left_out += len(shown) - len(one.findings)

    def marked(self, report: Report) -> Report:
        """Gives the report with a word on what was left out."""
        return replace(report, filter={"expression": self._expression, "left_out": self._left_out})


def _of_pin(pin: Pin) -> Fault:
    return (pin.session.key, pin.rule, pin.fault, pin.violator)


def _of_finding(session: str, finding: Finding) -> Fault:
    return (session, finding.rule, finding.fault, finding.violator)
