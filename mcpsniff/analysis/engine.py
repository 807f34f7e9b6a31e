"""The only loop: records → messages → sessions → rules → findings and figures, one capture at a time.

Streams: memory holds open exchanges and capped stores, never the capture. Joins `capture` (records) and `protocol`
(meaning), which do not know each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from mcpsniff.capture import records as rec
from mcpsniff.capture.parts import Files, Missing, missing, read_parts
from mcpsniff.capture.reader import Reader
from mcpsniff.protocol.bounded import Drops
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.message import Kind, Message
from mcpsniff.protocol.servers import ServerFacts
from mcpsniff.protocol.session import Session
from mcpsniff.rules.rule import Text
from mcpsniff.rules.selection import DEFAULT, Selection

from .conversation import Conversation
from .excerpts import Excerpts
from .findings import Finding
from .garbage import spared
from .hidden import Hidden
from .http import HttpFeed
from .lines import Lines
from .observer import Observer
from .scope import HttpScope
from .stdio import StdioFeed

PROGRESS_EVERY = 1_000  # lines


@dataclass(slots=True)
class SessionResult:
    """One session at its end."""

    session: Session
    conversation: Conversation
    findings: list[Finding]


@dataclass(slots=True)
class CaptureResult:
    """One capture, read to its end."""

    header: rec.Capture
    selection: Selection = DEFAULT  # of the rules that took part
    sessions: list[SessionResult] = field(default_factory=list)
    records: int = 0
    gaps: int = 0
    lost_records: int = 0
    complete: bool = False  # an `end` record was read
    last_at: float = 0.0  # seconds
    bytes_read: int = 0  # of the file
    damaged: list[int] = field(default_factory=list)  # lines that hold no record, the first of them
    damaged_count: int = 0
    untimed: int = 0  # event streams of which it is not known when what came
    files: list[tuple[int, str]] = field(default_factory=list)  # path of each, behind the `seq` where it begins
    missing: Missing = field(default_factory=lambda: Missing(0, []))  # parts of a rotation
    drops: Drops = field(default_factory=Drops)
    crashed: Counter[str] = field(default_factory=Counter)


class Engine:
    """Takes the records of one capture in order and gives its result."""

    def __init__(
        self, header: rec.Capture, selection: Selection = DEFAULT, observer: Observer | None = None, before: int = 0
    ) -> None:
        """`before`: how many sessions earlier captures had; the numbers of sessions go on from there."""
        self.result = CaptureResult(header, selection)
        self._observer = observer
        self._before = before
        self._excerpts = Excerpts()
        self._lines = Lines()
        self._hidden = Hidden(header, self.result.drops)
        self._conversations: dict[int, Conversation] = {}
        self._scope = HttpScope(self._new_session, self.result.drops)
        self._from_start = (header.part or 1) == 1  # this is not a later part alone
        self._scope.whole = self._from_start
        self._http = HttpFeed(self._scope, self._conversation_of, self.result.drops)
        self._stdio: StdioFeed | None = None
        self._next_seq, self._next_line = header.seq, 0
        self._excerpting = bool(self.result.selection.bound) or observer is not None
        if header.transport != "http":
            self._stdio = StdioFeed(self._open_stdio(header))

    # sessions

    def _new_session(self, transport: str, server: ServerFacts, from_start: bool) -> Session:
        session = Session(f"s{self._before + len(self._conversations) + 1}", transport, server, from_start=from_start)
        session.doubts.hidden, session.doubts.veiled = self._hidden, self._hidden.all
        session.host_rewritten = (self.result.header.proxy or {}).get("host_rewritten") is True
        conversation = Conversation(session, self.result.selection, self._excerpts, self._lines)
        self._conversations[id(session)] = conversation
        if self._observer is not None:
            conversation.observe(self._observer)
            self._observer.session(session)
        return session

    def _conversation_of(self, session: Session) -> Conversation:
        return self._conversations[id(session)]

    def _open_stdio(self, header: rec.Capture) -> Conversation:
        session = self._new_session("stdio", ServerFacts(), self._from_start)
        return self._conversation_of(session)

    # records

    def feed(self, record: rec.Record) -> None:
        """Takes in one record."""
        result, seq = self.result, record.seq
        result.records += 1
        result.last_at = record.t
        if seq != self._next_seq or record.line != self._next_line:
            self._leap(record)
        self._next_seq, self._next_line = seq + 1, record.line + 1
        if self._excerpting:
            self._excerpts.note(record)
        if self._hidden.expected:
            self._hidden.note(record)
        if self._observer is not None:
            self._observer.record(record)
        handler = _HANDLERS.get(type(record))
        if handler is not None:
            handler(self, record)

    def _leap(self, record: rec.Record) -> None:
        """Notes that a record does not follow the one before it; a jump in seq is a loss."""
        if record.seq > self._next_seq:
            self._jumped()
        self._lines.begin(record.seq, record.line, self._next_seq)

    def feed_all(self, records: Iterable[rec.Record]) -> None:
        """Takes in every record of an iterable."""
        for record in records:
            self.feed(record)

    def lost(self) -> None:
        """Notes that something of the traffic is not in the capture: absence proves nothing from here on."""
        self._scope.whole = False
        for conversation in self._conversations.values():
            conversation.session.holes += 1
        for process in self._processes():
            process.unsure |= process.exit_seq is None

    def _jumped(self) -> None:
        """Notes a jump in seq, which is a loss, but for the one behind the header of a later part."""
        if self._from_start or self.result.records > 2:
            self.lost()

    def _message(self, record: rec.Message) -> None:
        if record.truncated:
            message = _truncated(record)
        else:
            members = record.members
            text = record if members is not None else record.data
            message = Message(text, record.sender, record.seq, record.t, record.size, members)
        if record.x is not None:
            self._http.message(record.x, message, record.sse)
        elif self._stdio is not None:
            self._stdio.message(message, record.eol)

    def _text(self, record: rec.Text) -> None:
        text = Text(record.seq, record.t, record.sender, record.data, record.size)
        text.eol, text.sse, text.encoding = record.eol, record.sse, record.encoding
        if record.x is not None:
            self._http.text(record.x, text)
        elif self._stdio is not None:
            self._stdio.text(text)

    def _stderr(self, record: rec.Stderr) -> None:
        if self._stdio is not None:
            text = Text(record.seq, record.t, "server", record.data, record.size)
            text.eol = record.eol
            self._stdio.stderr(text)

    def _eof(self, record: rec.Eof) -> None:
        for process in self._processes():
            process.eof.setdefault(record.stream, (record.seq, record.t))

    def _signal(self, record: rec.Signal) -> None:
        for process in self._processes():
            process.signals.append((record.seq, record.t, record.signal))

    def _exit(self, record: rec.Exit) -> None:
        for process in self._processes():
            process.ended(record.seq, record.t, record.code, record.signal, record.error)

    def _processes(self) -> list[Any]:
        return [c.session.process for c in self._conversations.values() if c.session.process is not None]

    def _request(self, record: rec.Request) -> None:
        exchange = HttpExchange(
            record.x, record.seq, record.t, record.method, record.url, [(k, v) for k, v in record.headers]
        )
        exchange.conn, exchange.address = record.conn or "", record.client or ""
        exchange.request_head, exchange.request_body = record.head_size, record.body_size
        if self._observer is not None:
            self._observer.exchange(exchange)
        self._http.request(exchange)

    def _response(self, record: rec.Response) -> None:
        self._http.response(record)

    def _sse(self, record: rec.Sse) -> None:
        self._http.sse(record.x, record)

    def _close(self, record: rec.Close) -> None:
        self._http.close(record.x, record.seq, record.t, record)

    def _gap(self, record: rec.Gap) -> None:
        self.result.gaps += 1
        self.result.lost_records += record.records
        self.lost()

    def _end(self, record: rec.End) -> None:
        self.result.complete = True

    def finish(self) -> CaptureResult:
        """Ends every session and gives the result."""
        if self._stdio is not None:
            self._stdio.finish()
        for conversation in self._conversations.values():
            conversation.session.cut = not self.result.complete
            conversation.session.end_at = self.result.last_at
        self._http.finish()
        self._lines.end = self._next_seq
        for conversation in self._conversations.values():
            found = conversation.finish()
            self.result.drops.take(conversation.session.dropped)
            self.result.untimed += conversation.session.doubts.untimed
            self.result.crashed.update(conversation.crashed)
            self.result.sessions.append(SessionResult(conversation.session, conversation, found))
        return self.result


def _truncated(record: rec.Message) -> Message:
    """Gives the message of which only the head was kept."""
    head = record.head
    members = [b'"%s":%s' % (n, bytes(v)) for n, v in ((b"id", head.id), (b"method", head.method)) if v] if head else []
    message = Message(b"{" + b",".join(members) + b"}", record.sender, record.seq, record.t, record.size)
    message.truncated = True
    if message.id is not None and message.method is None:
        message.kind = Kind.RESULT  # or an error: an answer in any case
    return message


_HANDLERS: dict[type[rec.Record], Callable[[Engine, Any], None]] = {
    rec.Message: Engine._message,
    rec.Text: Engine._text,
    rec.Stderr: Engine._stderr,
    rec.Eof: Engine._eof,
    rec.Signal: Engine._signal,
    rec.Exit: Engine._exit,
    rec.Request: Engine._request,
    rec.Response: Engine._response,
    rec.Sse: Engine._sse,
    rec.Close: Engine._close,
    rec.Gap: Engine._gap,
    rec.End: Engine._end,
}


def feed_each(reader: Reader, engine: Engine) -> Iterator[rec.Record]:
    """Gives every record of a capture after the engine took it in; a damaged line is a loss."""
    damaged = 0
    for record in reader:
        if reader.damaged_count != damaged:
            damaged = reader.damaged_count
            engine.lost()
        engine.feed(record)
        yield record


def conclude(reader: Reader, engine: Engine) -> CaptureResult:
    """Gives the result of a capture that was read to its end."""
    result = engine.finish()
    result.bytes_read = reader.bytes_read
    result.damaged, result.damaged_count = reader.damaged, reader.damaged_count
    result.files, result.missing = reader.files, missing(reader.numbers)
    return result


def analyze(
    source: str | BinaryIO | Files, selection: Selection = DEFAULT, progress: Callable[[int], None] | None = None
) -> tuple[str, CaptureResult]:
    """Reads one capture to its end; gives its name and result. Raises McpsniffError where it is no capture.

    `progress` is told now and then how many bytes of the file have been read.
    """
    reader = read_parts(source)
    engine = Engine(reader.header, selection)
    with spared():
        for record in feed_each(reader, engine):
            if progress is not None and record.line % PROGRESS_EVERY == 0:
                progress(reader.bytes_read)
        return reader.name, conclude(reader, engine)
