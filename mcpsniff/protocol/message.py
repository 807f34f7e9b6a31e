"""One JSON-RPC message as the protocol sees it: kind, sender, id and method at once, bodies on demand.

The head is decoded by msgspec, bodies stay raw slices until a rule asks; what msgspec refuses (an unpaired surrogate
escape, extreme nesting) goes to the standard parser. Never raises on any JSON text; judges nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import UNSET, Raw, UnsetType

from .ids import JsonId

CLIENT = "client"
SERVER = "server"
OTHER = {CLIENT: SERVER, SERVER: CLIENT}


class Kind(Enum):
    """What a JSON value in a message's place is, by its members alone."""

    __hash__ = object.__hash__  # that of Enum is a Python function

    REQUEST = "request"
    NOTIFICATION = "notification"
    RESULT = "result"
    ERROR = "error"
    BATCH = "batch"
    MALFORMED = "malformed"  # an object without a shape, or no object at all


ANSWERS = frozenset({Kind.RESULT, Kind.ERROR})


class Head(msgspec.Struct, gc=False):
    """The members that make a message, as raw JSON; UNSET where the member is absent."""

    jsonrpc: Raw | UnsetType = UNSET
    id: Raw | UnsetType = UNSET
    method: Raw | UnsetType = UNSET
    params: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET


_decode_head = msgspec.json.Decoder(Head).decode
_decode_list = msgspec.json.Decoder(list[Raw]).decode
_decode_any = msgspec.json.Decoder().decode
_decode_exact = msgspec.json.Decoder(float_hook=Decimal).decode
_ABSENT = Head()


def decode(text: bytes | Raw) -> Any:
    """Gives the value of a JSON text, however odd: lone surrogates and huge numbers included; None beyond that."""
    try:
        return _decode_any(text)
    except (msgspec.DecodeError, RecursionError):
        try:
            return json.loads(bytes(text))
        except (ValueError, RecursionError):
            return None


def _text(raw: Raw | UnsetType) -> bytes:
    return b"" if raw is UNSET else bytes(raw)


@lru_cache(maxsize=500)  # nearly all methods of a capture are a handful: each is decoded once
def _short_method(raw: bytes) -> str | None:
    value = decode(raw)
    return value if isinstance(value, str) else None


def _method(raw: bytes) -> str | None:
    return _short_method(raw) if len(raw) <= 100 else _short_method.__wrapped__(raw)


class Message:
    """One message; what has a slot but is not set when it is made is worked out when first read and then kept."""

    __slots__ = (
        "at", "batch", "code", "eol", "error", "exact", "exchange", "has_envelope", "has_error",
        "has_method", "has_params", "has_result", "head", "id", "is_object", "is_version_2", "kind", "mark",
        "meta", "method", "params", "plain", "raw", "raw_error", "raw_params", "raw_result", "recovered", "replayed",
        "result", "sender", "seq", "size", "sse", "truncated", "value",
    )  # fmt: skip

    raw_params: Any  # the params member whatever it is; None where it is absent (see has_params)
    raw_result: Any
    raw_error: Any
    params: dict[str, Any]  # the params object; empty where it is absent or no object (then a rule of its own says so)
    result: dict[str, Any]
    error: dict[str, Any]
    meta: dict[str, Any]  # the `_meta` object of params or result; empty where there is none
    code: int | None  # the error code, where it is an integer
    value: Any  # the whole decoded JSON value
    exact: dict[str, Any]  # the whole object with its fractions as decimals: for comparisons that doubles would blur
    has_envelope: bool  # it has any member that makes a JSON-RPC message
    is_version_2: bool  # its jsonrpc member is the string "2.0"
    plain: bool  # a single well-formed request, notification, result or error

    def __init__(self, raw: bytes, sender: str, seq: int, at: float, size: int) -> None:
        self.raw = raw  # exact JSON text
        self.sender = sender  # CLIENT or SERVER
        self.seq = seq  # of its record
        self.at = at  # seconds on the capture's clock
        self.size = size  # bytes on the wire
        self.eol = "\n"  # line end, stdio
        self.exchange: Any = None  # the HttpExchange that carried it, or None on stdio
        self.mark: Any = None  # era mark, set by the session
        self.batch = False  # an element of an array
        self.recovered = False  # put together from a torn or doubled line
        self.sse: Mapping[str, Any] | None = None  # the SSE event that carried it: its fields other than data
        self.replayed = False  # an SSE event delivered again on a resumed stream
        self.truncated = False  # the recorder kept only the head
        start = raw[:1]
        self.is_object = start == b"{" or raw.lstrip()[:1] == b"{"
        self.head = head = _head_of(raw) if self.is_object else _ABSENT
        self.has_method = head.method is not UNSET
        self.has_params = head.params is not UNSET
        self.has_result = head.result is not UNSET
        self.has_error = head.error is not UNSET
        self.method = None if head.method is UNSET else _method(bytes(head.method))
        self.id = None if head.id is UNSET else JsonId(str(head.id, "utf-8", "replace"))
        self.kind = self._kind()

    def __getattr__(self, name: str) -> Any:
        # Rules ask for a body many times a message: a full slot costs no call, and an empty one leads here.
        work_out = _WORKED_OUT.get(name)
        if work_out is None:
            raise AttributeError(name)
        value = work_out(self)
        setattr(self, name, value)
        return value

    def forget(self) -> None:
        """Lets go of what was decoded of a request; who asks again has it decoded again."""
        for slot in _DECODED:
            try:
                delattr(self, slot)
            except AttributeError:  # nobody asked for it
                continue

    def _kind(self) -> Kind:
        head = self.head
        if head.result is not UNSET or head.error is not UNSET:
            return Kind.ERROR if _is_error(head) else Kind.RESULT
        if self.method is not None:
            return Kind.NOTIFICATION if head.id is UNSET else Kind.REQUEST
        return Kind.BATCH if self.raw.lstrip()[:1] == b"[" else Kind.MALFORMED

    @property
    def is_log_line(self) -> bool:
        """Whether it is an object that no member marks as a message: what a logger writes."""
        return self.is_object and not self.has_envelope

    @property
    def is_foreign(self) -> bool:
        """Whether it is an HTTP error body that is no JSON-RPC: a gateway's or a framework's own words."""
        head, exchange = self.head, self.exchange
        failed = exchange is not None and exchange.status is not None and exchange.status >= 400
        return failed and self.sender == SERVER and head.jsonrpc is UNSET and head.id is UNSET

    def token(self, *path: str) -> JsonId | None:
        """The id or progress token that stands at `path` below params, spelled exactly; None where there is none."""
        holder: Any = self.raw_params
        for name in path:  # most requests have none, and then there is nothing to read exactly
            if not isinstance(holder, dict) or name not in holder:
                return None
            holder = holder[name]
        raw = member_text(_text(self.head.params), path)
        return None if raw is None else JsonId(raw.decode("utf-8", "replace"))

    @property
    def parts(self) -> Iterable[Message]:
        """The message itself, or the messages inside a batch."""
        return self.elements() if self.kind is Kind.BATCH else (self,)

    def elements(self) -> Iterable[Message]:
        """The messages inside a batch, each with the record of the whole."""
        try:
            items = [bytes(item) for item in _decode_list(self.raw)]
        except (msgspec.DecodeError, RecursionError):
            value = self.value if isinstance(self.value, list) else []
            items = [json.dumps(item).encode() for item in value]
        for item in items:
            element = Message(item, self.sender, self.seq, self.at, len(item))
            element.exchange, element.batch, element.recovered = self.exchange, True, self.recovered
            yield element


def _member(raw: Raw | UnsetType) -> Any:
    return None if raw is UNSET else decode(raw)


def _meta(message: Message) -> dict[str, Any]:
    return _object((message.params if message.head.params is not UNSET else message.result).get("_meta"))


def _code(message: Message) -> int | None:
    code = message.error.get("code")
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
    return raw is not UNSET and (bytes(raw) == b'"2.0"' or decode(raw) == "2.0")


def _plain(message: Message) -> bool:
    if message.batch or message.recovered or message.truncated or message.eol != "\n" or not message.is_version_2:
        return False
    head, kind, id_ = message.head, message.kind, message.id
    if kind is Kind.RESULT:
        body, others = message.raw_result, (head.error, head.method, head.params)
    elif kind is Kind.ERROR:
        body, others = message.raw_error, (head.result, head.method, head.params)
    elif kind is Kind.REQUEST or kind is Kind.NOTIFICATION:
        fits = head.params is UNSET or isinstance(message.raw_params, dict)
        return fits and (id_ is None or id_.legal)
    else:
        return False
    return isinstance(body, dict) and id_ is not None and id_.legal and all(one is UNSET for one in others)


_DECODED = ("raw_params", "params", "meta", "value")  # of a request

_WORKED_OUT: dict[str, Callable[[Message], Any]] = {
    "raw_params": lambda message: _member(message.head.params),
    "raw_result": lambda message: _member(message.head.result),
    "raw_error": lambda message: _member(message.head.error),
    "params": lambda message: _object(message.raw_params),
    "result": lambda message: _object(message.raw_result),
    "error": lambda message: _object(message.raw_error),
    "meta": _meta,
    "code": _code,
    "value": lambda message: decode(message.raw),
    "exact": _exact,
    "has_envelope": _has_envelope,
    "is_version_2": _is_version_2,
    "plain": _plain,
}


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _is_error(head: Head) -> bool:
    """Whether an answer counts as an error; "error": null beside a result is JSON-RPC 1.0's way to say success."""
    if head.error is UNSET:
        return False
    return head.result is UNSET or bytes(head.error) != b"null"


def _head_of(raw: bytes) -> Head:
    try:
        return _decode_head(raw)
    except (msgspec.DecodeError, RecursionError):
        value = decode(raw)
        if not isinstance(value, dict):
            return _ABSENT
        members = {name: Raw(json.dumps(value[name]).encode()) for name in Head.__struct_fields__ if name in value}
        return Head(**members)


_decode_raw_map = msgspec.json.Decoder(dict[str, Raw]).decode


def member_text(raw: bytes, path: tuple[str, ...]) -> bytes | None:
    """Gives the exact text of the member at `path` of a JSON object, or None."""
    for name in path:
        try:
            members = _decode_raw_map(raw) if raw.lstrip()[:1] == b"{" else {}
        except (msgspec.DecodeError, RecursionError):
            value = decode(raw)
            members = {k: Raw(json.dumps(v).encode()) for k, v in value.items()} if isinstance(value, dict) else {}
        if name not in members:
            return None
        raw = bytes(members[name])
    return raw
