"""The rows of a capture: everything that its observer saw, in order, with what the analysis makes of each.

Looks on while the engine runs, so rows come as records do; holds open exchanges, never the capture. Who wants the
whole keeps the rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, BinaryIO

from mcpsniff.capture import records as rec
from mcpsniff.capture.parts import Files, read_parts
from mcpsniff.protocol.bounded import BoundedDict, Drops
from mcpsniff.protocol.calls import Call
from mcpsniff.protocol.exchange import HttpExchange, header
from mcpsniff.protocol.message import CLIENT, SERVER, Message
from mcpsniff.protocol.session import Session
from mcpsniff.rules.rule import Draft
from mcpsniff.rules.selection import DEFAULT, Selection

from . import row as kinds
from .engine import Engine, conclude, feed_each
from .pins import Pins
from .result import CaptureResult
from .row import ACCEPTED, Row

EXCHANGE_CAP = 10_000  # open exchanges
UNREAD_CAP = 1_000  # messages whose session is not known yet
EMPTY = frozenset((ACCEPTED, 204, 205, 304))  # statuses whose response carries nothing


class _Open:
    """An exchange that has not ended, the heads of its two sides, and whether that of the response has a line."""

    __slots__ = ("exchange", "request", "response", "shown")

    def __init__(self, exchange: HttpExchange, request: rec.Request) -> None:
        self.exchange = exchange
        self.request = request
        self.response: rec.Response | None = None
        self.shown = False


class Timeline:
    """Makes the rows of one capture; the engine tells it (observer.py)."""

    def __init__(self, capture: str = "", selection: Selection = DEFAULT) -> None:
        self.drops = Drops()
        self.pins = Pins(selection, self.drops)
        self._capture = capture
        self._rows: list[Row] = []
        self._first = 0  # of the rows not taken yet, that of the latest record
        self._record: rec.Record | None = None
        self._untold: Row | None = None  # of the latest record, where it is a message that nothing was told of yet
        self._only: Session | None = None  # of a stdio capture
        self._open: BoundedDict[str, _Open] = BoundedDict("open exchanges", EXCHANGE_CAP, self.drops)
        self._unread: BoundedDict[int, Row] = BoundedDict("messages without a session", UNREAD_CAP, Drops())
        self._known: dict[str, tuple[str, int, str | None]] = {}  # what each session's era was last

    def take(self) -> list[Row]:
        """Gives the rows since this was last asked, in the order of the capture."""
        rows, self._rows = self._rows, []
        for row in rows:
            if row.message is None and isinstance(row.record, rec.Message) and row.exchange is not None:
                row.read()
        return rows

    # told by the engine

    def record(self, record: rec.Record) -> None:
        """Makes the row of a record."""
        self._first = len(self._rows)
        if self._untold is not None:
            self._unread[self._untold.seq], self._untold = self._untold, None
        before, self._record = self._record, record
        if before is not None and record.seq > before.seq + 1 and not _is_later_part(before):
            self._lost(record, before.seq + 1)
        make = _MAKE.get(type(record))
        if make is not None:
            make(self, record)

    def exchange(self, exchange: HttpExchange) -> None:
        """Gives the head that was just read its exchange."""
        if isinstance(self._record, rec.Request):
            self._open[exchange.x] = _Open(exchange, self._record)
            self._rows[-1].exchange = exchange

    def session(self, session: Session) -> None:
        """Makes the row of a session that begins, before that of the record which began it."""
        if session.transport == "stdio":
            self._only = session
        row = self._row(kinds.SESSION, "", *self._now())
        row.note = "begins" if session.from_start else "was under way"
        row.belongs(session)
        self._rows.insert(self._first, row)

    def message(self, session: Session, message: Message, call: Call | None) -> None:
        """Tells a row what the message is, or makes one for a part of a record."""
        row = self._row_of(message) or self._part(message)
        row.told(session, message, call)
        known = (session.era.verdict, len(session.era.evidence), session.era.revision)
        if self._known.get(session.key) != known:
            self._learnt(session, known)

    def draft(self, session: Session, draft: Draft) -> None:
        """Pins what a rule found."""
        self.pins.add(session, draft)

    def _learnt(self, session: Session, known: tuple[str, int, str | None]) -> None:
        """Makes a row where the session's era or revision is another than before."""
        before = self._known.get(session.key, ("unknown", 0, None))
        self._known[session.key] = known
        self.pins.reconsider()
        if (before[0], before[2]) != (known[0], known[2]) and known[0] != "unknown":
            row = self._row(kinds.ERA, "", *self._now())
            row.note = " ".join(filter(None, (known[0], known[2])))
            row.belongs(session)
            self._rows.append(row)

    # rows

    def _row_of(self, message: Message) -> Row | None:
        """Gives the row of the record that holds a message; None for a part of it, and where it was dropped."""
        if message.batch or message.recovered:
            return None
        row = self._untold
        if row is None or row.seq != message.seq:
            return self._unread.pop(message.seq)
        self._untold = None
        return row

    def _lost(self, record: rec.Record, first: int) -> None:
        """Makes the row of what should stand before a record."""
        row = self._row(kinds.LOST, "", record.seq, record.t)
        last = record.seq - 1
        row.note = f"record {first} is missing" if first == last else f"records {first} to {last} are missing"
        if self._only is not None:
            row.belongs(self._only)
        self._rows.append(row)

    def _now(self) -> tuple[int, float]:
        return (0, 0.0) if self._record is None else (self._record.seq, self._record.t)

    def _row(self, kind: str, sender: str, seq: int, t: float) -> Row:
        return Row(kind, sender, seq, t, self._capture)

    def _add(self, kind: str, sender: str, record: rec.Record) -> Row:
        row = Row(kind, sender, record.seq, record.t, self._capture)
        row.record, row.pins = record, self.pins
        if self._only is not None:
            row.belongs(self._only)
        self._rows.append(row)
        return row

    def _part(self, message: Message) -> Row:
        row = self._row(message.kind.value, message.sender, message.seq, message.at)
        row.exchange = message.exchange
        before = [one.part for one in self._rows if one.seq == message.seq]
        row.part = max(before, default=0) + 1
        self._rows.append(row)
        return row

    def _of_exchange(self, kind: str, sender: str, record: Any) -> Row:
        row = self._add(kind, sender, record)
        known = None if record.x is None else self._open.get(record.x)
        if known is not None:
            row.exchange = known.exchange
            row.head = known.request if sender == CLIENT else known.response
        return row

    def _message(self, record: rec.Message) -> None:
        add = self._add if record.x is None else self._of_exchange
        self._untold = add(kinds.NOISE, record.sender, record)

    def _text(self, record: rec.Text) -> None:
        self._of_exchange(kinds.NOISE, record.sender, record)

    def _request(self, record: rec.Request) -> None:
        row = self._add(kinds.HTTP_REQUEST, CLIENT, record)
        row.head, row.folded = record, record.method == "POST" and record.body_size != 0

    def _response(self, record: rec.Response) -> None:
        row = self._of_exchange(kinds.HTTP_RESPONSE, SERVER, record)
        known = self._open.get(record.x)
        row.head, row.folded = record, known is not None and _is_told(record, known.exchange)
        if known is not None:
            known.response, known.shown = record, not row.folded

    def _close(self, record: rec.Close) -> None:
        row = self._of_exchange(kinds.HTTP_CLOSE, SERVER if record.by == SERVER else CLIENT, record)
        known = self._open.pop(record.x)
        row.folded = record.by == SERVER and known is not None and _is_told_of(known)


def _is_later_part(record: rec.Record) -> bool:
    """Whether it is the header of a part that is read without those before it: a jump after it is no loss."""
    return isinstance(record, rec.Capture) and (record.part or 1) > 1


def _is_told(head: rec.Response, exchange: HttpExchange) -> bool:
    """Whether the rows of what the response carries will say all that its head does."""
    if exchange.method != "POST":
        return False
    if head.status in EMPTY:
        return head.status == ACCEPTED and (not exchange.calls or _answers_elsewhere(exchange))
    return header(list(head.headers), "content-length") != "0"


def _answers_elsewhere(exchange: HttpExchange) -> bool:
    """Whether the answers to what an exchange asks come on a stream of its session (HTTP+SSE)."""
    return exchange.session is not None and exchange.session.transport == "http+sse"


def _is_told_of(known: _Open) -> bool:
    """Whether other rows say all that the end of an exchange does, where the server ended it."""
    exchange = known.exchange
    if exchange.method == "GET" and exchange.is_stream:
        return False
    return known.shown or bool(exchange.reply_messages or exchange.texts or exchange.status in EMPTY)


_Make = Callable[[Timeline, Any], object]


def _adds(kind: str, sender: str) -> _Make:
    return lambda timeline, record: timeline._add(kind, sender, record)


_MAKE: dict[type[rec.Record], _Make] = {
    rec.Message: Timeline._message,
    rec.Text: Timeline._text,
    rec.Request: Timeline._request,
    rec.Response: Timeline._response,
    rec.Close: Timeline._close,
    rec.Sse: lambda timeline, record: timeline._of_exchange(kinds.SSE, SERVER, record),
    rec.Stderr: _adds(kinds.STDERR, SERVER),
    rec.Eof: lambda timeline, record: timeline._add(kinds.EOF, CLIENT if record.stream == "stdin" else SERVER, record),
    rec.Signal: _adds(kinds.SIGNAL, CLIENT),
    rec.Exit: _adds(kinds.EXIT, SERVER),
    rec.Gap: _adds(kinds.GAP, ""),
}


class Watch:
    """One capture that is analyzed as its records come: what `show` and `follow` stand on."""

    def __init__(
        self, header: rec.Capture, selection: Selection = DEFAULT, before: int = 0, *, counted: bool = False
    ) -> None:
        """`before`: how many sessions earlier captures had; `counted`: whether the result has figures, too."""
        self.timeline = Timeline(header.id, selection)
        self.engine = Engine(header, selection, self.timeline, before, counted=counted)

    def feed(self, record: rec.Record) -> list[Row]:
        """Takes in one record and gives its rows."""
        self.engine.feed(record)
        return self.timeline.take()


def read_whole(
    source: str | BinaryIO | Files, selection: Selection = DEFAULT, before: int = 0
) -> tuple[str, CaptureResult, list[Row]]:
    """Gives name, result and rows of one capture, all in memory; raises McpsniffError where it is none."""
    reader = read_parts(source)
    watch = Watch(reader.header, selection, before, counted=True)
    for _ in feed_each(reader, watch.engine):
        pass
    result = conclude(reader, watch.engine)
    return reader.name, result, sorted(watch.timeline.take(), key=lambda row: row.seq)
