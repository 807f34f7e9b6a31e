"""What of a message is worked out when somebody first asks: its bodies, decoded, and what they say of it.

Never raises on any JSON text. `Message` says what each attribute is.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, Raw, UnsetType

from .envelope import NONE, Meta, meta_of
from .heads import Kind
from .ids import JsonId
from .jsonvalue import decode, decode_any, raw_members

if TYPE_CHECKING:
    from .message import Message

_decode_exact = msgspec.json.Decoder(float_hook=Decimal).decode
_BRACE = ord("{")


def _member(raw: Raw | UnsetType) -> Any:
    return None if raw is UNSET else decode(raw)


def _texts(message: Message) -> dict[str, Raw]:
    head, kind = message.head, message.kind
    body = head.result if kind is Kind.RESULT else head.error if kind is Kind.ERROR else head.params
    return members_of(body)


def members_of(body: Raw | UnsetType) -> dict[str, Raw]:
    """Gives the members of params, result or error; none where it is absent or no object."""
    return {} if body is UNSET else raw_members(body)


def _id(message: Message) -> JsonId | None:
    raw = message.head.id
    return None if raw is UNSET else JsonId(str(raw, "utf-8", "replace"))


def _envelope(message: Message) -> Meta:
    head, kind = message.head, message.kind
    if kind is Kind.ERROR or (head.params is not UNSET and kind is Kind.RESULT):
        member = members_of(head.result if head.params is UNSET else head.params).get("_meta")
    else:
        member = message.texts.get("_meta")
    return NONE if member is None else meta_of(member)


def _raw_params(message: Message) -> Any:
    if message.head.params is UNSET:
        return None
    shares = message.kind is not Kind.RESULT and message.kind is not Kind.ERROR and "_meta" in message.texts
    return (_whole(message) if shares else None) or decode(message.head.params)


def _raw_result(message: Message) -> Any:
    if message.head.result is UNSET:
        return None
    shares = message.kind is Kind.RESULT and "_meta" in message.texts
    return (_whole(message) if shares else None) or decode(message.head.result)


def _whole(message: Message) -> dict[str, Any]:
    """Gives a body with `_meta` from its members: parties share the value of one that they repeat."""
    meta = message.envelope.value
    if not meta:
        return {}
    try:
        return {name: meta if name == "_meta" else decode_any(text) for name, text in message.texts.items()}
    except (msgspec.DecodeError, RecursionError):
        return {}


def _result_type(message: Message) -> Any:
    text = message.texts.get("resultType") if message.kind is Kind.RESULT else None
    if text is None:
        return None
    return "complete" if bytes(text) == b'"complete"' else decode(text)


def _code(message: Message) -> int | None:
    code = message.error.get("code") if message.head.error is not UNSET else None
    return code if isinstance(code, int) and not isinstance(code, bool) else None


def _exact(message: Message) -> dict[str, Any]:
    try:
        return _object(_decode_exact(message.raw))
    except (msgspec.DecodeError, RecursionError):
        return _object(message.value)


def _has_envelope(message: Message) -> bool:
    head = message.head
    return any(m is not UNSET for m in (head.jsonrpc, head.id, head.method, head.result, head.error))


def _is_version_2(message: Message) -> bool:
    raw = message.head.jsonrpc
    return raw == "2.0" or (raw is not UNSET and (bytes(raw) == b'"2.0"' or decode(raw) == "2.0"))


def _plain(message: Message) -> bool:
    if message.batch or message.recovered or message.truncated or message.eol != "\n" or not message.is_version_2:
        return False
    head, kind, id_ = message.head, message.kind, message.id
    if id_ is not None and not id_.legal:
        return False
    if kind is Kind.REQUEST or kind is Kind.NOTIFICATION:
        return head.params is UNSET or _opens_object(head.params)
    if kind is Kind.RESULT:
        body, other = head.result, head.error
    elif kind is Kind.ERROR:
        body, other = head.error, head.result
    else:
        return False
    lone = other is UNSET and head.method is UNSET and head.params is UNSET
    return lone and id_ is not None and _opens_object(body)


def _opens_object(text: Raw) -> bool:
    return memoryview(text)[0] == _BRACE


DECODED = ("raw_params", "params", "meta", "value", "texts", "envelope")  # of a request

WORKED_OUT: dict[str, Callable[[Message], Any]] = {
    "raw": lambda message: message.source.data,
    "id": _id,
    "has_method": lambda message: message.head.method is not UNSET,
    "has_params": lambda message: message.head.params is not UNSET,
    "has_result": lambda message: message.head.result is not UNSET,
    "has_error": lambda message: message.head.error is not UNSET,
    "texts": _texts,
    "raw_params": _raw_params,
    "raw_result": _raw_result,
    "raw_error": lambda message: _member(message.head.error),
    "params": lambda message: _object(message.raw_params),
    "result": lambda message: _object(message.raw_result),
    "error": lambda message: _object(message.raw_error),
    "envelope": _envelope,
    "meta": lambda message: message.envelope.value,
    "code": _code,
    "result_type": _result_type,
    "value": lambda message: decode(message.raw),
    "exact": _exact,
    "has_envelope": _has_envelope,
    "is_version_2": _is_version_2,
    "plain": _plain,
    "inner_meta": lambda message: message.raw.count(b'"_meta"') > ("_meta" in message.texts),
}


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
