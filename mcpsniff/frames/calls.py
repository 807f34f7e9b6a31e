"""The frame of calls: one row for each request of either side, with what became of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pandas as pd

from mcpsniff.analysis.figures.latency import latency
from mcpsniff.analysis.figures.sizes import size_of
from mcpsniff.analysis.row import Row
from mcpsniff.protocol.calls import Call
from mcpsniff.protocol.message import ANSWERS, Message

from .columns import COUNT, NUMBER, TEXT, frame
from .messages import said

COLUMNS = {
    "file": TEXT,
    "session": TEXT,
    "seq": COUNT,  # of the request's record
    "answer_seq": COUNT,
    "t": NUMBER,  # of the request, seconds on the capture's clock
    "sender": TEXT,  # of the request
    "id": TEXT,  # JSON text
    "method": TEXT,
    "name": TEXT,  # tool, prompt, or URI of the resource
    "outcome": TEXT,  # result, tool_error, error, input_required, cancelled, unanswered: as the report counts them
    "latency": NUMBER,  # seconds
    "request_bytes": COUNT,  # on stdio the line with its end, over HTTP the JSON text
    "answer_bytes": COUNT,
    "root": COUNT,  # the first request of the whole call: its own where it is no retry after input_required
    "era": TEXT,
}


def calls(read: Iterable[tuple[str, Iterable[Row]]]) -> pd.DataFrame:
    """Gives the calls of captures, each with the name of its file."""
    return frame(COLUMNS, (cells for file, rows in read for cells in _calls(file, list(said(rows)))))


def _calls(file: str, rows: list[Row]) -> Iterator[tuple[Any, ...]]:
    answers = {id(row.call): row.message for row in rows if _answers(row)}
    for row in rows:
        if row.kind == "request" and row.call is not None and row.message is not None:
            yield _cells(file, row, row.call, answers.get(id(row.call)))


def _answers(row: Row) -> bool:
    message, call = row.message, row.call
    return message is not None and call is not None and message.kind in ANSWERS and call.answer_seq == message.seq


def _cells(file: str, row: Row, call: Call, answer: Message | None) -> tuple[Any, ...]:
    took, size = (None, None) if answer is None else (latency(call, answer), size_of(answer))
    return (
        *(file, row.field("session"), call.seq, call.answer_seq, row.t, row.sender, row.id),
        *(call.method, call.target, _outcome(call), took, size_of(call.request), size, row.root, row.era),
    )


def _outcome(call: Call) -> str:
    cancelled, answered = call.cancelled_seq, call.answer_seq
    if cancelled is not None and (answered is None or cancelled < answered):
        return "cancelled"
    if answered is not None:
        return call.outcome.value
    refused = call.refused and call.exchange is not None and call.exchange.failed
    return "error" if refused else "unanswered"
