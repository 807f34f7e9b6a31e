"""The frame of findings: one row each, as the report has collapsed them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from mcpsniff.analysis.placed import placed
from mcpsniff.analysis.report import Report

from .columns import COUNT, LIST, NUMBER, TEXT, frame

COLUMNS = {
    "capture": TEXT,  # the file that holds the culprit's record
    "session": TEXT,
    "t": NUMBER,  # of the culprit, seconds on the capture's clock
    "seq": COUNT,  # of the culprit's record
    "rule": TEXT,
    "severity": TEXT,  # error, warning, info
    "violator": TEXT,  # client, server, either, unknown
    "message": TEXT,  # one sentence with the values
    "count": COUNT,  # repeats of the same fault
    "records": LIST,  # the culprit first
    "line": COUNT,  # in the file, from 1
    "where": TEXT,  # JSON pointer, header name or byte offset
    "confidence": TEXT,  # certain, contextual, heuristic
    "revision": TEXT,
    "spec": LIST,  # URLs of the clauses
    "fingerprint": TEXT,  # the same for the same fault in every capture
}


def findings(report: Report) -> pd.DataFrame:
    """Gives the findings of a report, by session, in its order."""
    return frame(COLUMNS, _cells(report))


def _cells(report: Report) -> Iterator[tuple[Any, ...]]:
    for one in placed(report):
        culprit = {"capture": one.file, "session": one.session["id"], "seq": one.finding["seq"][0]}
        cells = {**one.finding, **culprit, "records": one.finding["seq"]}
        yield tuple(cells[name] for name in COLUMNS)
