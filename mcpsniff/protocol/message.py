"""One JSON-RPC message as the protocol sees it: kind, sender, id and method at once, bodies on demand.

Bodies stay raw slices until somebody asks. Never raises on any JSON text; judges nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any, Protocol

import msgspec
from msgspec import UNSET, Raw, UnsetType

from .envelope import NONE, Meta, meta_of
from .heads import ABSENT, ODD, head_of, is_error, method_of
from .heads import ANSWERS as ANSWERS
from .heads import Kind as Kind
from .ids import JsonId
from .jsonvalue import decode, decode_any, raw_members
from .lazily import give
from .sides import CLIENT as CLIENT
from .sides import OTHER as OTHER
from .sides import SERVER as SERVER


def _text(raw: Raw | UnsetType) -> bytes:
    return b"" if raw is UNSET else bytes(raw)


_decode_list = msgspec.json.Decoder(list[Raw]).decode
_decode_exact = msgspec.json.Decoder(float_hook=Decimal).decode
_BRACE = ord("{")


class Source(Protocol):
    """What has the exact JSON text of a message."""

    @property
    def data(self) -> bytes: ...


class Message:
    """One message; what is not set when it is made is worked out when first read and then kept."""

    # Nearly every message is like this; what differs is set on the instance.
    eol = "\n"  # line end, stdio
    exchange: Any = None  # the HttpExchange that carried it, or None on stdio
    batch = False  # an element of an array
    recovered = False  # put together from a torn or doubled line
    sse: Mapping[str, Any] | None = None  # the SSE event that carried it: its fields other than data
    replayed = False  # an SSE event delivered again on a resumed stream
    truncated = False  # the recorder kept only the head, or no more can be read
    is_object = True
    mark: Any = None  # era mark, set by the session

    raw: bytes  # exact JSON text
    head: Any  # a Head: the members as raw JSON
    id: JsonId | None
    has_method: bool
    has_params: bool
    has_result: bool
    has_error: bool
    texts: dict[str, Raw]  # members of params, result or error as raw JSON; empty where that is no object
    raw_params: Any  # the params member whatever it is; None where it is absent (see has_params)
    raw_result: Any
    raw_error: Any
    params: dict[str, Any]  # the params object; empty where it is absent or no object (then a rule of its own says so)
    result: dict[str, Any]
    error: dict[str, Any]
    envelope: Meta  # the `_meta` member of params or result
    meta: dict[str, Any]  # the `_meta` object of params or result; empty where there is none
    result_type: Any  # the resultType member of a result, whatever it is
    code: int | None  # the error code, where it is an integer
    value: Any  # the whole decoded JSON value
    exact: dict[str, Any]  # the whole object with its fractions as decimals: for comparisons that doubles would blur
    has_envelope: bool  # it has any member that makes a JSON-RPC message
    is_version_2: bool  # its jsonrpc member is the string "2.0"
    inner_meta: bool  # a `_meta` member may stand deeper in it than in params or result
    plain: bool  # a single well-formed request, notification, result or error

    def __init__(self, raw: bytes | Source, sender: str, seq: int, at: float, size: int, head: Any = None) -> None:
        """`head`: the members of an ordinary message, where they are known; then `raw` is what has its text."""
        self.sender = sender  # CLIENT or SERVER
        self.seq = seq  # of its record
        self.at = at  # seconds on the capture's clock
        self.size = size  # bytes on the wire
        if head is None:
            self.raw = raw  # type: ignore[assignment]
            self._look()
            return
        self.source: Source = raw  # type: ignore[assignment]
        self.head = head
        self.method = method = None if head.method is UNSET else head.method
        self.id = None if head.id is UNSET else JsonId(str(head.id, "utf-8", "replace"))
        body = head.params
        if head.error is not UNSET and is_error(head):
            self.kind, body = Kind.ERROR, head.error
        elif head.result is not UNSET:
            self.kind, body = Kind.RESULT, head.result
        elif method is not None:
            self.kind = Kind.NOTIFICATION if head.id is UNSET else Kind.REQUEST
        else:
            self.kind = Kind.MALFORMED
        self.texts = {} if body is UNSET else raw_members(body)  # asked of every message, so not worked out late

    def _look(self) -> None:
        """Works out head, method and kind from the text."""
        raw = self.raw
        self.is_object = raw[:1] == b"{" or raw.lstrip()[:1] == b"{"
        self.head = head = head_of(raw) if self.is_object else ABSENT
        self.method = None if head.method is UNSET else method_of(bytes(head.method))
        self.kind = self._kind()

    def forget(self) -> None:
        """Lets go of what was decoded of a request; who asks again has it decoded again."""
        known = self.__dict__
        for name in _DECODED:
            known.pop(name, None)
        if "source" in known:
            known.pop("raw", None)

    def _kind(self) -> Kind:
        head = self.head
        if head.result is not UNSET or head.error is not UNSET:
            return Kind.ERROR if is_error(head) else Kind.RESULT
        if self.method is not None:
            return Kind.NOTIFICATION if head.id is UNSET else Kind.REQUEST
        return Kind.BATCH if self.raw.lstrip()[:1] == b"[" else Kind.MALFORMED

    @property
    def is_log_line(self) -> bool:
        """Whether it is an object that no member marks as a message: what a logger writes."""
        return self.is_object and not self.has_envelope

    @property
    def is_too_deep(self) -> bool:
        """Whether nothing can be said of it, as it nests deeper than any parser here goes."""
        return self.kind in ODD and self.value is None and self.raw.strip() != b"null"

    @property
    def is_foreign(self) -> bool:
        """Whether it is an HTTP error body that is no JSON-RPC: a gateway's or a framework's own words."""
        head, exchange = self.head, self.exchange
        failed = exchange is not None and exchange.status is not None and exchange.status >= 400
        return failed and self.sender == SERVER and head.jsonrpc is UNSET and head.id is UNSET

    def token(self, *path: str) -> JsonId | None:
        """The id or progress token that stands at `path` below params, spelled exactly; None where there is none."""
        holder: Mapping[str, Raw] = self.texts if self.kind not in ANSWERS else _members_of(self.head.params)
        for name in path[:-1]:
            if name not in holder:
                return None
            holder = self.envelope.texts if name == "_meta" else raw_members(holder[name])
        raw = holder.get(path[-1])
        return None if raw is None else JsonId(str(raw, "utf-8", "replace"))

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


def _texts(message: Message) -> dict[str, Raw]:
    head, kind = message.head, message.kind
    body = head.result if kind is Kind.RESULT else head.error if kind is Kind.ERROR else head.params
    return _members_of(body)


def _members_of(body: Raw | UnsetType) -> dict[str, Raw]:
    return {} if body is UNSET else raw_members(body)


def _id(message: Message) -> JsonId | None:
    raw = message.head.id
    return None if raw is UNSET else JsonId(str(raw, "utf-8", "replace"))


def _envelope(message: Message) -> Meta:
    head, kind = message.head, message.kind
    if kind is Kind.ERROR or (head.params is not UNSET and kind is Kind.RESULT):
        member = _members_of(head.result if head.params is UNSET else head.params).get("_meta")
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


_DECODED = ("raw_params", "params", "meta", "value", "texts", "envelope")  # of a request

_WORKED_OUT: dict[str, Callable[[Message], Any]] = {
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
give(Message, _WORKED_OUT)


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
