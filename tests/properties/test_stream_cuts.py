"""An event stream cut into other chunks, with other line ends, is recorded alike and changes no finding."""

import random
from dataclasses import dataclass
from typing import Any

from mcpsniff.capture.body import Entry, EventStream, event
from mcpsniff.wire.jsontext import is_json

LINE_ENDS = ("\n", "\r\n", "\r")
LONGEST = 9  # bytes of a chunk


@dataclass
class Line:
    """A record as conftest reads it."""

    fields: dict[str, Any]
    text: str | None = None


def block_of(line: Any, end: str) -> bytes:
    """The SSE block that a record stands for, as a server may have sent it."""
    fields = line.fields
    sent = fields.get("sse", fields)
    lines = [f":{one}" for one in _texts(sent.get("comment"))]
    lines += [f"{name}: {sent[name]}" for name in ("event", "id", "retry") if sent.get(name) is not None]
    lines += [f"{name}: x" for name in sent.get("fields") or ()]
    data = line.text if line.text is not None else fields.get("raw", fields.get("data"))
    lines += [f"data: {one}" for one in data.split("\n")] if data is not None else []
    return "".join(one + end for one in lines).encode() + (b"" if fields.get("unfinished") else end.encode())


def _texts(comment: Any) -> list[str]:
    return comment if isinstance(comment, list) else [] if comment is None else [comment]


def recorded(stream: EventStream, sent: bytes, x: str, chance: random.Random) -> list[Entry]:
    """What is recorded of bytes that come in small chunks, and then nothing more."""
    blocks = []
    while sent:
        size = chance.randint(1, LONGEST)
        blocks += stream.feed(0.0, sent[:size])
        sent = sent[size:]
    last = stream.flush()
    return [event(x, block) for block in (*blocks, *([last] if last is not None else []))]


def as_line(line: Any, entry: Entry) -> Any:
    """The record with what was now recorded in its place, at its time."""
    place = {name: line.fields[name] for name in ("seq", "t", "t0") if name in line.fields}
    if entry.type is not None:
        return type(line)({"type": entry.type, **place, **entry.fields})
    if is_json(entry.body):
        return type(line)({"type": "message", **place, **entry.fields, "size": entry.size}, entry.body.decode())
    return type(line)({"type": "text", **place, **entry.fields, "size": entry.size, "raw": entry.body.decode()})


def recut(lines: list[Any], chance: random.Random) -> list[Any]:
    """The capture with each event sent and recorded anew."""
    out = []
    for line in lines:
        plain = "b64" not in line.fields and not line.fields.get("truncated") and not line.fields.get("encoding")
        if plain and (line.fields["type"] == "sse" or "sse" in line.fields):
            sent = block_of(line, chance.choice(LINE_ENDS))
            (entry,) = recorded(EventStream(""), sent, line.fields["x"], chance)
            line = as_line(line, entry)
        out.append(line)
    return out


def test_other_chunks_change_no_finding(unequal: Any) -> None:
    """Each event in chunks of a few bytes, its lines ended by LF, CR LF or CR: the same is found."""
    chance = random.Random(1)
    assert unequal(lambda lines: recut(lines, chance)) == []


def test_an_event_comes_back_from_its_block() -> None:
    """The block that is sent for a record is the one that was recorded."""
    text = '{"jsonrpc":"2.0","method":"notifications/x"}'
    fields = {"type": "message", "seq": 4, "t": 1.0, "from": "server", "x": "a", "sse": {"event": "message", "id": "7"}}
    line = Line(fields | {"size": len(text) + 29}, text)
    assert block_of(line, "\n") == b"event: message\nid: 7\ndata: " + text.encode() + b"\n\n"
    assert recut([line], random.Random(1))[0].text == text
