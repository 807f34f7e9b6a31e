"""The SSE streams of one HTTP session: what each delivered, which one it resumes, which event ids are known.

A stream goes on over connections (2025-11-25, basic/transports, Resumability and Redelivery): a GET with Last-Event-ID
continues the stream whose event it names. Keeps bounded state; judges nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .bounded import BoundedDict, Drops
from .exchange import HttpExchange, joined_url
from .message import ANSWERS, Message

ID_CAP = 20_000  # event ids remembered, per session
RECENT = 100  # latest event ids of one stream
ANNOUNCED_CAP = 10  # `endpoint` events
CROSSING = 1.0  # seconds in which what was sent may not have arrived

LONGEST_WAIT = 10**12  # ms: nobody waits longer, and no double takes an integer of any size


class SseEvent:
    """One block of an event stream, with or without a message; times in seconds."""

    __slots__ = ("at", "data", "exchange", "id", "message", "retry", "seq", "type")

    def __init__(self, seq: int, at: float, exchange: HttpExchange, data: bytes | None) -> None:
        self.seq = seq
        self.at = at
        self.exchange = exchange
        self.data = data  # None where there was no data line
        self.message: Message | None = None
        self.id: str | None = None
        self.type: str | None = None
        self.retry: int | str | None = None  # milliseconds; text where it is no number

    def set(self, fields: Mapping[str, Any]) -> SseEvent:
        """Takes the fields of a record, whatever they hold."""
        id_, type_, retry = fields.get("id"), fields.get("event"), fields.get("retry")
        self.id = id_ if isinstance(id_, str) else None
        self.type = type_ if isinstance(type_, str) else None
        self.retry = retry if isinstance(retry, (int, str)) and not isinstance(retry, bool) else None
        return self

    @property
    def mark(self) -> Any:
        return self.exchange.mark

    @property
    def primes(self) -> bool:
        """Whether it only tells the client an id to resume from."""
        return bool(self.id) and not self.data


@dataclass(frozen=True, slots=True)
class Known:
    """An event id and what was delivered with it first."""

    origin: Stream
    data: bytes | None  # None where only an id was sent, without a data line
    seq: int


class Stream:
    """One connection of a stream; the first of them, its `origin`, keeps what the whole stream delivered."""

    __slots__ = (
        "asked", "done", "exchange", "first", "follows", "ids", "late", "newer", "origin", "recent", "resumed", "retry",
        "torn",
    )  # fmt: skip

    def __init__(self, exchange: HttpExchange, follows: Stream | None) -> None:
        self.exchange = exchange
        self.follows = follows  # the connection that this one resumes
        self.origin: Stream = follows.origin if follows is not None else self
        self.resumed: Stream | None = None  # the connection that resumes this one
        self.asked: str | None = None  # Last-Event-ID
        self.newer: str | None = None  # id that the client surely had when it asked with an older one
        self.first: SseEvent | None = None  # with data, or with an id
        # (id, seconds, connection) of the whole stream, at its origin
        self.recent: deque[tuple[str, float, HttpExchange]] = deque(maxlen=RECENT)
        self.ids = 0  # event ids on this connection
        self.retry: int | None = None  # milliseconds, the last on this connection
        self.done: SseEvent | None = None  # the last response that the requests of the origin waited for
        self.late = 0  # messages after it
        self.torn = False  # it ended inside an event, which is lost

    @property
    def wait(self) -> int | None:
        """The milliseconds that the server last told the client to wait before it resumes; None where it did not."""
        return self.retry if self.retry is not None or self.follows is None else self.follows.wait

    @property
    def resumable(self) -> bool:
        """Whether the client was given an id to resume it from."""
        return bool(self.origin.recent)

    @property
    def is_post(self) -> bool:
        """Whether the stream began as the answer to a POST."""
        return self.origin.exchange.method == "POST"

    @property
    def waits(self) -> bool:
        """Whether a request that it has to answer is unanswered and not cancelled."""
        return any(call.open for call in self.origin.exchange.calls.values())


class Streams:
    """The streams of one session, the ids of their events, and the URLs that HTTP+SSE streams announced."""

    def __init__(self, drops: Drops) -> None:
        self.announced: list[tuple[int, str]] = []  # (record, URL as the client resolves it)
        self.ids_seen = False  # some event of the session had an id
        self._known: BoundedDict[str, Known] = BoundedDict("event ids", ID_CAP, drops)
        self._standing: Stream | None = None  # the latest GET stream
        self._latest: BoundedDict[str, Stream] = BoundedDict("event ids", ID_CAP, drops)  # connection by origin's x

    def of(self, exchange: HttpExchange) -> Stream:
        """Gives the stream of an exchange, begun where there is none yet."""
        if exchange.stream is None or exchange.stream.exchange is not exchange:
            exchange.stream = self._open(exchange)
        return exchange.stream  # type: ignore[no-any-return]

    def _open(self, exchange: HttpExchange) -> Stream:
        asked = exchange.header("last-event-id") if exchange.method == "GET" else None
        known = self._known.get(asked) if asked else None
        stream = Stream(exchange, self._latest.get(known.origin.exchange.x) if known is not None else None)
        stream.asked = asked or None
        if stream.follows is not None and asked:
            stream.follows.resumed = stream
            stream.newer = _newer(stream.origin, asked, exchange.opened_at)
        self._latest[stream.origin.exchange.x] = stream
        if exchange.method == "GET":
            self._standing = stream
        return stream

    @property
    def listening(self) -> bool:
        """Whether a GET stream is open."""
        standing = self._standing
        return standing is not None and standing.exchange.closed_seq is None and standing.exchange.succeeded

    def known(self, id_: str | None) -> Known | None:
        """Gives what was delivered first with an event id."""
        return self._known.get(id_) if id_ else None

    @property
    def forgot(self) -> bool:
        """Whether event ids were thrown away: that one is unknown proves nothing any more."""
        return self._known.dropped > 0

    def is_replay(self, event: SseEvent) -> bool:
        """Whether a resumed stream delivers an event again: the same id with the same data (trap T7)."""
        known = self.known(event.id)
        return known is not None and known.data == event.data and event.exchange.header("last-event-id") is not None

    def note(self, event: SseEvent) -> None:
        """Takes an event in, after its message."""
        stream = self.of(event.exchange)
        if stream.first is None and (event.id is not None or event.data is not None):
            stream.first = event
        if isinstance(event.retry, int) and event.retry < LONGEST_WAIT:
            stream.retry = event.retry
        if event.id:
            self._note_id(stream, event.id, event)
        if event.message is not None:
            _note_end(stream, event, event.message)

    def _note_id(self, stream: Stream, id_: str, event: SseEvent) -> None:
        stream.ids += 1
        self.ids_seen = True
        stream.origin.recent.append((id_, event.at, event.exchange))
        known = self._known.get(id_)
        if known is None or known.data is None:
            self._known[id_] = Known(stream.origin, event.data, event.seq)

    def announce(self, event: SseEvent) -> None:
        """Takes in an `endpoint` event."""
        if event.data and len(self.announced) < ANNOUNCED_CAP:
            url = joined_url(event.exchange.url, event.data.decode("utf-8", "replace").strip())
            self.announced.append((event.seq, url))


def _newer(origin: Stream, asked: str, at: float) -> str | None:
    """Gives the newest id that the client must have had when it asked with an earlier one of this stream, or None.

    What came in the last second before its connection ended may not have arrived (trap T6).
    """
    newest: str | None = None
    for id_, came, exchange in reversed(origin.recent):
        if id_ == asked:
            return newest
        ended = at if exchange.closed_at is None else exchange.closed_at
        if newest is None and came < ended - CROSSING:
            newest = id_
    return None


def _note_end(stream: Stream, event: SseEvent, message: Message) -> None:
    if stream.done is not None:
        stream.late += 1
        return
    calls = stream.origin.exchange.calls.values()
    if message.kind in ANSWERS and calls and all(call.answer_seq is not None for call in calls):
        stream.done = event
