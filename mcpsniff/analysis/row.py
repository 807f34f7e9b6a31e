"""One thing that a capture's observer saw, with what the analysis makes of it: a line of `show`, an arrow of the page.

A row leans on the engine's own objects and works out what it is asked for, so it is cheap to make. What may still come
(the status of a response, findings, the era) is as it is known when it is asked for. Judges nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from mcpsniff.capture import records as rec
from mcpsniff.protocol.calls import Call
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.heads import ODD
from mcpsniff.protocol.marks import Label
from mcpsniff.protocol.message import ANSWERS, SERVER, Kind, Message
from mcpsniff.protocol.session import Session

from .excerpts import beginning
from .figures.latency import latency as latency_of

if TYPE_CHECKING:
    from .pins import Pin, Pins

MESSAGES = ("request", "notification", "result", "error", "batch", "malformed")
SPEAKING = ("request", "notification", "result")  # method and name say what they are
NOISE, BODY, STDERR = "noise", "body", "stderr"
HTTP_REQUEST, HTTP_RESPONSE, HTTP_CLOSE, SSE = "http-request", "http-response", "http-close", "sse"
EOF, SIGNAL, EXIT, GAP, LOST = "eof", "signal", "exit", "gap", "lost"
SESSION, ERA = "session", "era"  # changes that the analysis notices; the observer saw no such thing

ACCEPTED = 202  # the status whose body, if any, is no message

KINDS = (
    *(*MESSAGES, NOISE, BODY, STDERR),
    *(HTTP_REQUEST, HTTP_RESPONSE, HTTP_CLOSE, SSE),
    *(EOF, SIGNAL, EXIT, GAP, LOST, SESSION, ERA),
)

_KIND = {kind: kind.value for kind in Kind}
_ERAS = {Label.LEGACY: "legacy", Label.UNDECIDED: "unknown"}  # every other label is of modern framing
_NAMED = {  # notification → the member of params that names what it is about
    "notifications/resources/updated": "uri",
    "notifications/elicitation/complete": "elicitationId",
}


class Row:
    """One row; `t` in seconds on the capture's clock, sizes in bytes."""

    # Nearly every row is like this; what differs is set on the instance.
    part = 0  # from 1: elements of a batch, messages put together from torn or doubled lines
    record: rec.Record | None = None  # None for what only the analysis noticed
    head: rec.Request | rec.Response | None = None  # of the side of the exchange that carried it
    message: Message | None = None
    call: Call | None = None  # its own, or the one that it answers, cancels or reports on
    exchange: HttpExchange | None = None
    note = ""  # in words, for a loss or a change
    replayed = False  # an SSE event delivered again
    folded = False  # a head or an end that the rows of its exchange already tell of
    pins: Pins | None = None  # what is found of its record, where it has one
    _session: Session | None = None
    _target: str | None = None  # of its call

    def __init__(self, kind: str, sender: str, seq: int, t: float, capture: str) -> None:
        self._kind = kind
        self.sender = sender  # "client", "server", or "" for what neither of them sent
        self.seq = seq  # of its record
        self.t = t
        self.capture = capture

    def told(self, session: Session, message: Message, call: Call | None) -> None:
        """Takes in what the analysis makes of its message."""
        self._session, self.message = session, message
        if call is not None:
            self.call = call
            self._target = call.target  # now: the request may soon forget what it said

    def belongs(self, session: Session) -> None:
        """Takes in the session that it is a part of."""
        self._session = session

    def read(self) -> None:
        """Reads a message that the analysis leaves aside, or has not come to yet."""
        record = self.record
        if isinstance(record, rec.Message):
            self.message = Message(record.data, record.sender, record.seq, record.t, record.size)
            self.message.exchange = self.exchange
            self.replayed = record.sse is not None and self.session is not None

    @property
    def session(self) -> Session | None:
        """The session; None beside MCP, and where no record has told yet."""
        return self._session if self.exchange is None else self.exchange.session

    @property
    def kind(self) -> str:
        """One of KINDS."""
        message = self.message
        if message is None:
            return BODY if self._kind == NOISE and self._is_body() else self._kind
        kind = message.kind
        if kind in ODD and self.session is None and not message.has_envelope:
            return BODY
        return _KIND[kind]

    def _is_body(self) -> bool:
        """Whether it stands where HTTP needs no message: beside MCP, or below a mere "Accepted"."""
        if self.exchange is None:
            return False
        return self.session is None or (self.sender == SERVER and self.exchange.status == ACCEPTED)

    @property
    def address(self) -> str:
        """What it is called by: its record, and its part where it is one."""
        return f"{self.seq}.{self.part}" if self.part else str(self.seq)

    @property
    def id(self) -> str | None:
        """The JSON-RPC id as it was spelled, JSON text; None where there is none."""
        return None if self.message is None or self.message.id is None else self.message.id.text

    @property
    def method(self) -> str | None:
        """The method; an answer has that of its request."""
        message, call = self.message, self.call
        if message is None:
            return None
        return message.method if call is None or message.kind not in ANSWERS else call.method

    @property
    def name(self) -> str | None:
        """The tool or prompt, or the URI of the resource, that it or its request names."""
        if self.call is not None:
            return self._target
        source = _NAMED.get(self.message.method or "") if self.message is not None else None
        value = self.message.params.get(source) if self.message is not None and source is not None else None
        return value if isinstance(value, str) else None

    @property
    def size(self) -> int | None:
        """Bytes on the wire of a line, a body, an SSE block, a head; of an element of a batch its JSON text alone."""
        if self.part and self.message is not None:
            return len(self.message.raw)
        value: int | None = getattr(self.record, _SIZES.get(self._kind, "size"), None)
        return value

    @property
    def latency(self) -> float | None:
        """Seconds from the request to this answer; None where they are not known, and for everything else."""
        message, call = self.message, self.call
        if message is None or call is None or message.kind not in ANSWERS:
            return None
        took = latency_of(call, message)
        return None if took is None else round(took, 6)  # the clock's microseconds

    @property
    def answers(self) -> int | None:
        """The record of the request that it answers."""
        if self.message is None or self.call is None or self.message.kind not in ANSWERS:
            return None
        return self.call.seq

    @property
    def about(self) -> int | None:
        """The record of the request that it reports progress of, or cancels."""
        named = self.kind == "notification" and self.call is not None
        return self.call.seq if named and self.call is not None else None

    @property
    def retries(self) -> int | None:
        """The record of the `input_required` answer that this request goes on from (2026-07-28)."""
        own = self.kind == "request" and self.call is not None and self.call.leg is not None
        return int(self.call.leg.seq) if own and self.call is not None else None

    @property
    def root(self) -> int | None:
        """The record of the first request of its call: joins the legs of a multi round-trip request."""
        if self.call is None:
            return None
        return self.call.seq if self.call.leg is None else int(self.call.leg.root)

    @property
    def x(self) -> str | None:
        """The HTTP exchange; None on stdio."""
        return getattr(self.record, "x", None) if self.exchange is None else self.exchange.x

    @property
    def status(self) -> int | None:
        """The HTTP status of its exchange, once it is known."""
        return None if self.exchange is None else self.exchange.status

    @property
    def era(self) -> str:
        """`legacy`, `modern` or `unknown`, by the framing of its exchange; `mixed` too for what has none of its own."""
        mark = self.message.mark if self.message is not None else None
        if mark is not None:
            return _ERAS.get(mark.label, "modern")
        return "unknown" if self.session is None else self.session.era.verdict

    @property
    def data(self) -> bytes:
        """The exact bytes of a message, a text or a line of stderr, without the line end; empty for everything else."""
        if self.message is not None:
            return self.message.raw
        data = getattr(self.record, "data", None)
        return data if isinstance(data, bytes) else b""

    @property
    def text(self) -> str:
        """All its text, in which one may search: the data, a head with its headers, what happened in words."""
        if isinstance(self.record, (rec.Request, rec.Response)):
            return "\n".join((self.detail, *(f"{name}: {value}" for name, value in self.record.headers)))
        return self.data.decode("utf-8", "replace") or self.detail

    @property
    def detail(self) -> str:
        """What a line has room for beside method and name: the error, the noise, the head, what happened."""
        kind = self.kind
        if kind == "error" and self.message is not None:
            code, said = self.message.code, self.message.error.get("message")
            return " ".join(str(part) for part in (code, said) if part is not None)
        if self.note or self.record is None or kind in SPEAKING:
            return self.note
        return beginning(self.record).decode("utf-8", "replace")

    @property
    def is_culprit(self) -> bool:
        """Whether findings of its record stand with this row: parts, changes and losses have no record of their own."""
        return self.pins is not None

    @property
    def findings(self) -> Sequence[Pin]:
        """What was found here so far, this record being the culprit."""
        return () if self.pins is None else self.pins.of(self.seq)

    def field(self, name: str) -> Any:
        """Gives a field of the filter language (query): a value, a list of them, or None."""
        return _FIELDS[name](self)


_FIELDS: Mapping[str, Callable[[Row], Any]] = {
    **{
        name: attrgetter(name)
        for name in ("method", "name", "x", "kind", "size", "latency", "t", "status", "seq", "text")
    },
    "id": lambda row: None if row.message is None or row.message.id is None else row.message.id.as_text,
    "from": lambda row: row.sender or None,
    "session": lambda row: None if row.session is None else row.session.key,
    "era": lambda row: None if row.session is None else row.era,
    "rule": lambda row: [pin.rule for pin in row.findings],
    "severity": lambda row: [pin.severity for pin in row.findings],
    "violator": lambda row: [pin.violator for pin in row.findings],
}
_SIZES: Mapping[str, str] = {HTTP_REQUEST: "head_size", HTTP_RESPONSE: "head_size", GAP: "bytes"}


def values(row: Row) -> dict[str, Any]:
    """Gives a row as data with the keys of `show --json`; what does not apply is left out."""
    found = [pin.values() for pin in row.findings]
    fields = {
        "seq": row.seq,
        "part": row.part or None,
        "t": row.t,
        "capture": row.capture or None,
        "session": row.session.key if row.session is not None else None,
        "era": row.era if row.session is not None else None,
        "from": row.sender or None,
        "kind": row.kind,
        "id": row.id,
        "method": row.method,
        "name": row.name,
        "size": row.size,
        "latency": row.latency,
        "answers": row.answers,
        "about": row.about,
        "retries": row.retries,
        "root": row.root,
        "x": row.x,
        "status": row.status,
        "folded": row.folded or None,
        "replayed": row.replayed or None,
        "detail": row.detail or None,
        "findings": found or None,
    }
    return {key: value for key, value in fields.items() if value is not None}
