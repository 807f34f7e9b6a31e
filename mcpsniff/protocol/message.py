"""One JSON-RPC message as the protocol sees it: kind, sender, id and method at once, bodies on demand.

The head is decoded by msgspec, bodies stay raw slices until a rule asks; what msgspec refuses (an unpaired surrogate
escape, extreme nesting) goes to the standard parser. Never raises on any JSON text; judges nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from decimal import Decimal
from enum import Enum
from typing import Any

import msgspec
from msgspec import UNSET, Raw, UnsetType

from .ids import JsonId

CLIENT = "client"
SERVER = "server"
OTHER = {CLIENT: SERVER, SERVER: CLIENT}


class Kind(Enum):
    """What a JSON value in a message's place is, by its members alone."""

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


def decode(text: bytes) -> Any:
    """Gives the value of a JSON text, however odd: lone surrogates and huge numbers included; None beyond that."""
    try:
        return _decode_any(text)
    except (msgspec.DecodeError, RecursionError):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return None


def _text(raw: Raw | UnsetType) -> bytes:
    return b"" if raw is UNSET else bytes(raw)


class Message:
    """One message; `params`, `result` and `error` decode when first read and are then kept."""

    __slots__ = (
        "_cache",
        "at",
        "batch",
        "eol",
        "exchange",
        "head",
        "id",
        "kind",
        "mark",
        "method",
        "raw",
        "recovered",
        "replayed",
        "sender",
        "seq",
        "size",
        "sse",
        "truncated",
    )

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
        self._cache: dict[str, Any] = {}
        self.head = _head_of(raw)
        self.method = self._method()
        self.id = None if self.head.id is UNSET else JsonId(_text(self.head.id).decode("utf-8", "replace"))
        self.kind = self._kind()

    def _method(self) -> str | None:
        raw = _text(self.head.method)
        value = decode(raw) if raw else None
        return value if isinstance(value, str) else None

    def _kind(self) -> Kind:
        head = self.head
        if head.result is not UNSET or head.error is not UNSET:
            return Kind.ERROR if _is_error(head) else Kind.RESULT
        if self.method is not None:
            return Kind.NOTIFICATION if head.id is UNSET else Kind.REQUEST
        return Kind.BATCH if self.raw.lstrip()[:1] == b"[" else Kind.MALFORMED

    def _member(self, name: str) -> Any:
        if name not in self._cache:
            raw = _text(getattr(self.head, name))
            self._cache[name] = decode(raw) if raw else None
        return self._cache[name]

    @property
    def has_envelope(self) -> bool:
        """Whether it has any member that makes a JSON-RPC message."""
        head = self.head
        return any(m is not UNSET for m in (head.jsonrpc, head.id, head.method, head.result, head.error))

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

    @property
    def is_version_2(self) -> bool:
        """Whether its jsonrpc member is the string "2.0"."""
        return self.head.jsonrpc is not UNSET and self._member("jsonrpc") == "2.0"

    @property
    def has_method(self) -> bool:
        return self.head.method is not UNSET

    @property
    def has_error(self) -> bool:
        return self.head.error is not UNSET

    @property
    def has_result(self) -> bool:
        return self.head.result is not UNSET

    @property
    def has_params(self) -> bool:
        return self.head.params is not UNSET

    @property
    def is_object(self) -> bool:
        return self.raw.lstrip()[:1] == b"{"

    @property
    def raw_params(self) -> Any:
        """The params member whatever it is; None where it is absent (see has_params)."""
        return self._member("params")

    @property
    def raw_result(self) -> Any:
        return self._member("result")

    @property
    def raw_error(self) -> Any:
        return self._member("error")

    @property
    def params(self) -> dict[str, Any]:
        """The params object; empty where it is absent or no object (then a rule of its own says so)."""
        return _object(self._member("params"))

    @property
    def result(self) -> dict[str, Any]:
        return _object(self._member("result"))

    @property
    def error(self) -> dict[str, Any]:
        return _object(self._member("error"))

    @property
    def code(self) -> int | None:
        """The error code, where it is an integer."""
        code = self.error.get("code")
        return code if isinstance(code, int) and not isinstance(code, bool) else None

    @property
    def meta(self) -> dict[str, Any]:
        """The `_meta` object of params or result; empty where there is none."""
        return _object((self.params if self.head.params is not UNSET else self.result).get("_meta"))

    @property
    def value(self) -> Any:
        """The whole decoded JSON value."""
        if "value" not in self._cache:
            self._cache["value"] = decode(self.raw)
        return self._cache["value"]

    @property
    def exact(self) -> dict[str, Any]:
        """The whole object with its fractions as decimals: for comparisons that doubles would blur."""
        if "exact" not in self._cache:
            try:
                self._cache["exact"] = _object(_decode_exact(self.raw))
            except (msgspec.DecodeError, RecursionError):
                self._cache["exact"] = _object(self.value)
        return self._cache["exact"]  # type: ignore[no-any-return]

    def token(self, *path: str) -> JsonId | None:
        """The id or progress token that stands at `path` below params, spelled exactly; None where there is none."""
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


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _is_error(head: Head) -> bool:
    """Whether an answer counts as an error; "error": null beside a result is JSON-RPC 1.0's way to say success."""
    if head.error is UNSET:
        return False
    return head.result is UNSET or bytes(head.error) != b"null"


def _head_of(raw: bytes) -> Head:
    if raw.lstrip()[:1] != b"{":
        return _ABSENT
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
