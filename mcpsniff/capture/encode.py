"""Records as bytes: one line each, built from the field table. Works with the standard library alone.

What is JSON is embedded as it was sent, what is not becomes `raw` or `b64`, what is longer than `snaplen` keeps its
start and says `truncated`, whether it is a message, text or a line of stderr. A payload beyond LONG is never copied:
its record is made in pieces. Does no I/O.
"""

from __future__ import annotations

import json
from binascii import b2a_base64
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mcpsniff.capture.fields import FIELDS
from mcpsniff.capture.long import LONG, LongRecord, LongValue, Record, as_it_is, base64, dumps, escaped
from mcpsniff.wire.jsontext import head, is_json, is_utf8, may_start_json, spaces_for_newlines
from mcpsniff.wire.lines import Line


def encode(value: object) -> bytes:
    """Plain data as JSON."""
    return dumps(value).encode()


_encode: Callable[[object], bytes]
try:
    import msgspec

    _encode = msgspec.json.Encoder().encode  # the same bytes in a tenth of the time
except ImportError:  # a closed mitmproxy brings no msgspec
    _encode = encode


def record_line(kind: str, seq: int, t: float, fields: Mapping[str, object], t0: float | None = None) -> bytes:
    """One record with its line feed, whole; `fields` may come in any order, None is written as null."""
    return bytes(record(kind, seq, t, fields, t0))


def record(kind: str, seq: int, t: float, fields: Mapping[str, object], t0: float | None = None) -> Record:
    """One record with its line feed, in pieces where its payload is long."""
    names = FIELDS[kind]
    assert _KNOWN[kind].issuperset(fields), f"{kind} has no field {fields.keys() - set(names)}"
    parts: list[Any] = [b'{"type":"%s","seq":%d,"t":%s' % (kind.encode(), seq, _moment(t, t0))]
    plain: dict[str, object] = {}
    for name in names:
        if name not in fields:
            continue
        value = fields[name]
        if isinstance(value, bytes | LongValue):  # JSON text already
            parts += (_members(plain), b',"%s":' % name.encode(), value)
            plain = {}
        else:
            plain[name] = value
    parts += (_members(plain), b"}\n")
    return LongRecord(parts) if LongValue in map(type, parts) else b"".join(parts)


def stdio_line(stream: str, seq: int, line: Line, snaplen: int | None) -> bytes:
    """The record of a line from `stream`: "client" and "server" say who sent it, "stderr" is the server's talk."""
    return bytes(stdio_lines(stream, seq, [line], snaplen)[0])


def stdio_lines(stream: str, seq: int, lines: Sequence[Line], snaplen: int | None) -> list[Record]:
    """The records of the lines of a chunk, numbered from `seq`."""
    made: list[Record] = []
    form = b'{"type":"message","seq":%%d,"t":%%b,"from":"%b","size":%%d,"message":' % stream.encode()
    longest = LONG if snaplen is None else min(snaplen, LONG)
    t = t0 = -1.0
    for number, line in enumerate(lines, seq):
        message, size = line.payload, line.size
        if stream == "stderr" or line.eol != b"\n" or not len(message) + 1 == size <= longest or not is_json(message):
            made.append(_any_line(stream, number, line, snaplen))
            continue
        # Nearly every line of a session; the general form would give the same bytes in three times the time.
        if line.t != t or line.t0 != t0:
            t, t0 = line.t, line.t0
            moment = _moment(t, t0)
        made.append(b"".join((form % (number, moment, size), message, b"}\n")))
    return made


def _moment(t: float, t0: float | None) -> bytes:
    """The value of `t`, and the member `t0` where it is another."""
    moment = b"%.6f" % t
    if t0 is not None and t0 != t and (first := b"%.6f" % t0) != moment:
        return b'%b,"t0":%b' % (moment, first)
    return moment


def _any_line(stream: str, seq: int, line: Line, snaplen: int | None) -> Record:
    fields: dict[str, object] = {"size": line.size}
    if line.eol != b"\n":
        fields["eol"] = line.eol.decode()
    if stream == "stderr":
        kind, payload = "stderr", text_payload(line.payload, line.cut, snaplen)
    else:
        fields["from"] = stream
        kind, payload = body_payload(line.payload, line.cut, snaplen)
    return record(kind, seq, line.t, fields | payload, line.t0)


def body_payload(body: bytes, cut: bool, snaplen: int | None) -> tuple[str, dict[str, object]]:
    """The type of bytes where a message belongs ("message" or "text") and the fields of their payload.

    `cut` says that `body` is only the start of what came: then it is a message where its start can be one's.
    """
    whole = not cut and (snaplen is None or len(body) <= snaplen)
    if not (may_start_json(body[:snaplen]) if cut else is_json(body)):
        return "text", text_payload(body, cut, snaplen)
    if not whole:
        known = head(body[:snaplen])
        members = b",".join(b'"%s":%s' % (name.encode(), text) for name, text in known.items())
        extra: dict[str, object] = {"head": b"{%s}" % members} if known else {}
        return "message", text_payload(body, cut, snaplen) | extra
    text, feeds = spaces_for_newlines(body)
    message = text if len(text) <= LONG else LongValue(text, as_it_is)
    return "message", {"lf": feeds, "message": message} if feeds else {"message": message}


def text_payload(body: bytes, cut: bool, snaplen: int | None) -> dict[str, object]:
    """`raw` where the kept bytes are UTF-8, else `b64`; with `truncated` where they are not all."""
    kept = body if snaplen is None else body[:snaplen]
    short = cut or len(kept) < len(body)
    payload: dict[str, object] = {"truncated": True} if short else {}
    if not is_utf8(kept, whole=not short):
        return payload | base64_payload(kept)
    long = len(kept) > LONG
    payload["raw"] = LongValue(kept, escaped) if long else kept.decode(errors="ignore")  # of what a cut broke
    return payload


def base64_payload(body: bytes) -> dict[str, object]:
    """The bytes as `b64`."""
    return {"b64": LongValue(body, base64) if len(body) > LONG else b2a_base64(body, newline=False).decode()}


_KNOWN = {kind: frozenset(names) for kind, names in FIELDS.items()}

_dumps_ascii = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def _members(plain: dict[str, object]) -> bytes:
    """The members of an object, each with a comma before it."""
    if not plain:
        return b""
    try:
        return b"," + _encode(plain)[1:-1]
    except UnicodeEncodeError:  # a command or a path that is no valid text holds lone surrogates
        return b"," + _dumps_ascii(plain).encode()[1:-1]
