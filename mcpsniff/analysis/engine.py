"""The only loop: records → messages → sessions → rules → findings and figures, one capture at a time.

Streams: memory holds open exchanges and capped stores, never the capture. Joins `capture` (records) and `protocol`
(meaning), which do not know each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from mcpsniff.capture import records as rec
from mcpsniff.capture.parts import Files, missing, read_parts
from mcpsniff.capture.reader import Reader
from mcpsniff.protocol.servers import ServerFacts
from mcpsniff.protocol.session import Session
from mcpsniff.rules.selection import DEFAULT, Selection

from .conversation import Conversation
from .excerpts import Excerpts
from .hidden import Hidden
from .http import HttpFeed
from .lines import Lines
from .meant import exchange_of, message_of, stderr_of, text_of
from .metrics import Metrics
from .observer import Observer
from .result import CaptureResult, SessionResult
from .scope import HttpScope
from .stdio import StdioFeed
from .uncounted import Uncounted

PROGRESS_EVERY = 1_000  # lines


class Engine:
    """Takes the records of one capture in order and gives its result."""

    def __init__(
        self,
        header: rec.Capture,
        selection: Selection = DEFAULT,
        observer: Observer | None = None,
        before: int = 0,
        *,
        counted: bool = True,
    ) -> None:
        """`before`: how many sessions earlier captures had; the numbers of sessions go on from there.

        `counted`: whether figures and beginnings of records are kept, without which no report can be made.
        """
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
        self._counted = counted
        self._excerpting = counted and (bool(selection.bound) or observer is not None)
        if header.transport != "http":
            session = self._new_session("stdio", ServerFacts(), self._from_start)
            self._stdio = StdioFeed(self._conversation_of(session))

    # sessions

    def _new_session(self, transport: str, server: ServerFacts, from_start: bool) -> Session:
        session = Session(f"s{self._before + len(self._conversations) + 1}", transport, server, from_start=from_start)
        session.doubts.hidden, session.doubts.veiled = self._hidden, self._hidden.all
        session.host_rewritten = (self.result.header.proxy or {}).get("host_rewritten") is True
        metrics = Metrics(session) if self._counted else Uncounted()
        conversation = Conversation(session, self.result.selection, metrics, self._excerpts, self._lines)
        self._conversations[id(session)] = conversation
        if self._observer is not None:
            conversation.observe(self._observer)
            self._observer.session(session)
        return session

    def _conversation_of(self, session: Session) -> Conversation:
        return self._conversations[id(session)]

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
        """Notes that a record does not follow the one before it.

        A jump in seq is a loss, but for the one behind the header of a later part.
        """
        if record.seq > self._next_seq and (self._from_start or self.result.records > 2):
            self.lost()
        self._lines.begin(record.seq, record.line, self._next_seq)

    def lost(self) -> None:
        """Notes that something of the traffic is not in the capture: absence proves nothing from here on."""
        self._scope.whole = False
        for conversation in self._conversations.values():
            conversation.session.holes += 1
        for process in self._processes():
            process.unsure |= process.exit_seq is None

    def _message(self, record: rec.Message) -> None:
        message = message_of(record)
        if record.x is not None:
            self._http.message(record.x, message, record.sse)
        elif self._stdio is not None:
            self._stdio.message(message, record.eol)

    def _text(self, record: rec.Text) -> None:
        if record.x is not None:
            self._http.text(record.x, text_of(record))
        elif self._stdio is not None:
            self._stdio.text(text_of(record))

    def _stderr(self, record: rec.Stderr) -> None:
        if self._stdio is not None:
            self._stdio.stderr(stderr_of(record))

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
        exchange = exchange_of(record)
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
    for record in feed_each(reader, engine):
        if progress is not None and record.line % PROGRESS_EVERY == 0:
            progress(reader.bytes_read)
    return reader.name, conclude(reader, engine)
