"""One JSON-RPC message as the protocol sees it: kind, sender, id and method at once, bodies on demand.

Bodies stay raw slices until somebody asks. Never raises on any JSON text; judges nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import msgspec
from msgspec import UNSET, Raw

from .envelope import Meta
from .heads import ABSENT, ODD, head_of, is_error, method_of
from .heads import ANSWERS as ANSWERS
from .heads import Kind as Kind
from .ids import JsonId
from .jsonvalue import raw_members
from .lazily import give
from .ondemand import DECODED, WORKED_OUT, members_of
from .sides import CLIENT as CLIENT
from .sides import OTHER as OTHER
from .sides import SERVER as SERVER

_decode_list = msgspec.json.Decoder(list[Raw]).decode


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
        for name in DECODED:
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
    def is_unreadable(self) -> bool:
        """Whether no parser here takes it, as where it nests too deep."""
        return self.kind in ODD and self.value is None and self.raw.strip() != b"null"

    @property
    def is_foreign(self) -> bool:
        """Whether it is an HTTP error body that is no JSON-RPC: a gateway's or a framework's own words."""
        head, exchange = self.head, self.exchange
        failed = exchange is not None and exchange.status is not None and exchange.status >= 400
        return failed and self.sender == SERVER and head.jsonrpc is UNSET and head.id is UNSET

    def token(self, *path: str) -> JsonId | None:
        """The id or progress token that stands at `path` below params, spelled exactly; None where there is none."""
        holder: Mapping[str, Raw] = self.texts if self.kind not in ANSWERS else members_of(self.head.params)
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


give(Message, WORKED_OUT)
