"""One line of a capture → its record.

msgspec does nearly all of it and leaves the message raw. What it refuses is looked at again with the standard library:
record types of a later version, and text that is JSON though msgspec takes it for none (unpaired surrogates, deep
nesting); there the payload is cut out by its key, which is why it stands last. A message's bytes come back as sent.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

import msgspec
from msgspec import Raw

from mcpsniff.capture.fields import FIELDS
from mcpsniff.capture.records import LATEST, AnyRecord, End, Message, Stderr, Text, Unknown, payload_bytes
from mcpsniff.wire.jsontext import BLANKS, is_json, is_utf8

_MESSAGE = b'"message":'
_LINE_FEED, _CLOSE = b"\n}"

_ordinary = msgspec.json.Decoder(AnyRecord).decode


class _Any(Message, tag="message", gc=False, kw_only=True):
    """A message record whatever its message is."""

    members: Raw = msgspec.field(default=Raw(), name="message")  # type: ignore[assignment]


_any = msgspec.json.Decoder(_Any | End).decode  # a union, so that the type must be named


def decode(line: bytes) -> AnyRecord | Unknown:
    """The record on `line`, with or without its line feed; ValueError where the line is damaged."""
    try:
        if not line.isascii():
            line.decode()  # msgspec does not look into the message
        record: AnyRecord = _ordinary(line)
    except (ValueError, RecursionError):
        return _decode_any(line)
    if type(record) is Message:
        if record.members is None or line[-1] != _LINE_FEED or line[-3] != _CLOSE:
            return _decode_any(line)
        record.source = line
    elif type(record) is Text or type(record) is Stderr:
        payload_bytes(None, record.b64)
    return record


def _decode_any(line: bytes) -> AnyRecord | Unknown:
    """The record of a message that is not ordinary, or of anything that msgspec does not take."""
    try:
        if not line.isascii():
            line.decode()
        record: AnyRecord | Unknown = _any(line)
    except (ValueError, RecursionError):
        record = _decode_slowly(line)
    if isinstance(record, _Any):
        return _message(record, _message_bytes(line, record))
    if type(record) is Text or type(record) is Stderr:
        payload_bytes(None, record.b64)
    return record


def _message(record: _Any, data: bytes) -> Message:
    fields = {name: getattr(record, name) for name in _KEPT}
    return Message(**fields, source=data, cut=True)


_KEPT = tuple(name for name in Message.__struct_fields__ if name not in ("members", "source", "cut"))


def _message_bytes(line: bytes, record: _Any) -> bytes:
    """The message with the blanks around it, which belong to it too; the kept start of a truncated one."""
    value = bytes(record.members)
    if not value:
        return payload_bytes(record.raw, record.b64)
    sent = _cut_out(line)[1]
    return sent if sent.strip(BLANKS) == value else value


def _cut_out(line: bytes) -> tuple[bytes, bytes]:
    """The record with null for its message, and the message's bytes; two empty ones where there is none."""
    before, key, payload = line.partition(_MESSAGE)
    end = payload.rfind(b"}")
    return (before + key + b"null}", payload[:end]) if end >= 0 else (b"", b"")


def _decode_slowly(line: bytes) -> AnyRecord | Unknown:
    if not is_utf8(line):
        raise ValueError("not UTF-8")
    rest, payload = _cut_out(line)
    if payload and (fields := _members(rest)).get("type") == "message":
        if not is_json(payload):
            raise ValueError("the message is not JSON")
        fields["message"] = Raw(payload.strip(BLANKS))
    else:
        fields = _members(line)
        if not fields:
            raise ValueError("not a JSON object")
    return _record(fields)


def _members(text: bytes) -> dict[str, Any]:
    """The members of a JSON object; none where it is no such thing."""
    try:
        value = _stdlib.decode(text.decode())
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _record(fields: dict[str, Any]) -> AnyRecord | Unknown:
    kind = fields.get("type")
    if not isinstance(kind, str):
        raise ValueError("no record type")
    if kind in FIELDS:
        if isinstance(fields.get("head"), dict):
            fields["head"] = {name: Raw(json.dumps(value).encode()) for name, value in fields["head"].items()}
        known: AnyRecord = msgspec.convert(fields, _Any | End if kind == "message" else AnyRecord)
        return known
    seq, t = fields.get("seq"), fields.get("t")
    return Unknown(
        kind=kind,
        seq=seq if isinstance(seq, int) else -1,
        t=t if isinstance(t, float | int) and abs(t) <= LATEST else 0.0,
        fields=fields,
    )


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


_stdlib = json.JSONDecoder(parse_constant=_refuse)
