"""Rows for programs: as JSON, one object a line, and as the exact bytes that were sent."""

from __future__ import annotations

import orjson

from mcpsniff.analysis.pins import Pin
from mcpsniff.analysis.row import Row, values
from mcpsniff.capture import records as rec
from mcpsniff.render.json import encode
from mcpsniff.wire.visible import excerpt


def as_json(row: Row) -> bytes:
    """Gives a row as one line of JSON; id and message stand in it as they were spelled."""
    fields = values(row)
    message = row.message
    if message is not None and message.id is not None:
        fields["id"] = orjson.Fragment(message.id.text)
    if message is not None and not message.truncated:
        # a raw CR can only be a blank between tokens; in a terminal it would hide what stands before it
        fields["message"] = orjson.Fragment(message.raw.replace(b"\r", b" "))
    elif row.data:
        fields["raw"] = row.data.decode("utf-8", "replace")
    return encode(fields, indent=False)


def finding_json(capture: str, x: str | None, pin: Pin, *, withdrawn: bool) -> bytes:
    """Gives a finding that came after its row as one line of JSON; `x` is its row's HTTP exchange, where known."""
    place = {"seq": pin.seq, "capture": capture, "session": pin.session.key, "kind": "finding"}
    exchange = {} if x is None else {"x": x}
    return encode({**place, **exchange, **pin.values(), **({"withdrawn": True} if withdrawn else {})}, indent=False)


def as_sent(row: Row) -> bytes:
    """Gives the bytes of a message, a text or a line of stderr with its line end; nothing for all else.

    The lines of one sender put together are what it wrote. Parts of a record are in it already.
    """
    if row.part or not row.data:
        return b""
    record = row.record
    eol = record.eol if isinstance(record, (rec.Message, rec.Text, rec.Stderr)) else "\n"
    return row.data + eol.encode()


def as_seen(row: Row) -> bytes:
    """Gives the same for the eyes: what could drive a terminal is escaped."""
    sent = as_sent(row)
    return excerpt(row.data, len(row.data)).encode() + b"\n" if sent else b""
