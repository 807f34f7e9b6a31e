"""The frame of messages: one row each, the elements of a batch singly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pandas as pd

from mcpsniff.analysis.row import MESSAGES, Row

from .columns import COUNT, NUMBER, TEXT, frame

COLUMNS = {
    "file": TEXT,
    "session": TEXT,  # s1, s2, … as in the report
    "seq": COUNT,  # of its record
    "part": COUNT,  # from 1: which element of a batch; missing elsewhere
    "t": NUMBER,  # seconds on the capture's clock
    "sender": TEXT,  # client, server
    "kind": TEXT,  # request, notification, result, error, batch, malformed
    "id": TEXT,  # JSON text
    "method": TEXT,  # answers have that of their request
    "name": TEXT,  # tool, prompt, or URI of the resource
    "size": COUNT,  # bytes on the wire
    "latency": NUMBER,  # seconds; answers only
    "answers": COUNT,  # the record of the request that it answers
    "root": COUNT,  # the record of the first request of its call, over all its round trips
    "exchange": TEXT,  # of HTTP
    "status": COUNT,  # of HTTP
    "era": TEXT,  # legacy, modern, unknown
}


def messages(read: Iterable[tuple[str, Iterable[Row]]]) -> pd.DataFrame:
    """Gives the messages of captures, each with the name of its file."""
    return frame(COLUMNS, (_cells(file, row) for file, rows in read for row in said(rows)))


def said(rows: Iterable[Row]) -> Iterator[Row]:
    """Gives the messages among the rows of a capture that belong to a session, each once."""
    return (row for row in rows if row.session is not None and row.kind in MESSAGES and not row.replayed)


def _cells(file: str, row: Row) -> tuple[Any, ...]:
    return (
        *(file, row.field("session"), row.seq, row.part or None, row.t, row.sender, row.kind),
        *(row.id, row.method, row.name, row.size, row.latency, row.answers, row.root),
        *(row.x, row.status, row.era),
    )
