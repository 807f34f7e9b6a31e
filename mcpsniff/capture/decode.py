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
from mcpsniff.capture.records import LATEST, AnyRecord, Message, Stderr, Text, Unknown, payload_bytes
from mcpsniff.wire.jsontext import BLANKS, is_json, is_utf8

_MESSAGE = b'"message":'
_COLON, _CLOSE, _BLANK = b":} "

_fast = msgspec.json.Decoder(AnyRecord).decode


def decode(line: bytes) -> AnyRecord | Unknown:
    """The record on `line`, with or without its line feed; ValueError where the line is damaged."""
    try:
        if not line.isascii():
            line.decode()  # msgspec does not look into the message
        record: AnyRecord | Unknown = _fast(line)
    except (ValueError, RecursionError):
        record = _decode_slowly(line)
    if type(record) is Message:
        value = bytes(record.message)
        if value and line[-len(value) - 3] == _COLON and line[-3] > _BLANK and line[-2] == _CLOSE:
            record.data = value  # `…:VALUE}` and a line feed: nothing else belongs to the message
        else:
            record.data = _message_bytes(line, record)
    elif type(record) is Text or type(record) is Stderr:
        payload_bytes(None, record.b64)
    return record


def _message_bytes(line: bytes, record: Message) -> bytes:
    """The message with the blanks around it, which belong to it too; the kept start of a truncated one."""
    value = bytes(record.message)
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
    if kind in FIELDS:
        if isinstance(fields.get("head"), dict):
            fields["head"] = {name: Raw(json.dumps(value).encode()) for name, value in fields["head"].items()}
        known: AnyRecord = msgspec.convert(fields, AnyRecord)
        return known
    if not isinstance(kind, str):
        raise ValueError("no record type")
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
