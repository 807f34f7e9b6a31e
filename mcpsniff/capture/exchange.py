"""One HTTP exchange → its records: an engine tells it what passes, in the order of the wire.

What is not MCP leaves no record; what may yet turn out to be is held back, within bounds. Times are seconds since the
capture's start. Never raises on traffic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpsniff.capture.body import Entry, EventStream, event, whole
from mcpsniff.capture.heads import Headers, RequestHead, ResponseHead, media_type, values
from mcpsniff.capture.recognise import Verdict
from mcpsniff.wire.sse import SseBlock

if TYPE_CHECKING:
    from mcpsniff.capture.http import HttpRecorder

HELD = 1 << 18  # bytes of bodies that an undecided exchange may hold back; what grows beyond is not MCP


class Exchange:
    """One request and what comes back; the engine calls in the order of the wire, `end` last."""

    def __init__(self, recorder: HttpRecorder, x: str, conn: str | None, client: str | None) -> None:
        self.x = x
        self.verdict = Verdict.UNDECIDED
        self.url = ""
        self._recorder = recorder
        self._conn = conn
        self._client = client
        self._held: list[Entry] = []
        self._held_size = 0
        self._head: RequestHead | None = None  # until it is recorded, which waits for the body
        self._request_headers: Headers = ()
        self._asked = 0.0  # when the request's head was read
        self._response_headers: Headers = ()
        self._decoded = False  # the response's body comes without the content-encoding that its head names
        self._stream: EventStream | None = None  # where the response is one
        self._pieces: list[bytes] = []  # of a response that is none
        self._first_byte = self._last_byte = 0.0  # of the response's body
        self._body_size = 0  # bytes of the response's body so far, as transferred
        self._ended = False

    @property
    def over(self) -> bool:
        """Whether nothing that is still to come can be recorded: it is not MCP, or has ended."""
        return self._ended or self.verdict is Verdict.OTHER

    def decide(self, verdict: Verdict) -> None:
        """Settle what the exchange is; what was held back is written, or dropped."""
        if self.verdict is not Verdict.UNDECIDED or verdict is Verdict.UNDECIDED:
            return
        self.verdict = verdict
        held, self._held = self._held, []
        self._recorder.decided(self, verdict)
        if verdict is not Verdict.OTHER:
            for entry in held:
                self._write(entry)

    def request(self, t: float, head: RequestHead) -> None:
        """The request's head was read."""
        self.url, self._head, self._request_headers, self._asked = head.url, head, head.headers, t
        self.decide(self._recorder.recogniser.request(head))
        self._recorder.flush()

    def request_body(self, t: float, sent: bytes | None) -> None:
        """The request's body was read whole, as transferred; None where the engine could not see it."""
        if self.over:
            return
        self._record_request(t, None if sent is None else len(sent))
        fields = {"from": "client", "x": self.x}
        for entry in whole(fields, self._asked, t, _encoding(self._request_headers), sent or b""):
            if self.verdict is Verdict.UNDECIDED:
                self.decide(self._recorder.recogniser.request_body(entry.body))
            self._put(entry)
        self._recorder.flush()

    def info(self, t: float, status: int, headers: Headers) -> None:
        """A 1xx response was read."""
        if not self.over:
            self._put(Entry(t, t, {"x": self.x, "status": status, "headers": self._shown(headers)}, "info"))
            self._recorder.flush()

    def response(self, t: float, head: ResponseHead, *, decoded: bool = False, untimed: bool = False) -> None:
        """The head of the final response was read.

        `decoded` says that the body comes without the content-encoding that the head names, its size on the wire
        unknown; `untimed` that the engine does not know when its events came.
        """
        if self.over:
            return
        self._record_request(t, None)  # it was answered before its body had come
        if self.verdict is Verdict.UNDECIDED:
            self.decide(self._recorder.recogniser.response(head))
        self._response_headers, self._decoded = head.headers, decoded
        fields = {
            "x": self.x,
            "status": head.status,
            "http": head.http,
            "headers": self._shown(head.headers),
            "head_size": head.size,
        }
        if untimed:
            fields["untimed"] = True
        self._put(Entry(t, t, fields, "response"))
        self._recorder.flush()
        if media_type(head.headers) == "text/event-stream":
            self._stream = EventStream(self._response_encoding)

    def piece(self, t: float, sent: bytes) -> None:
        """A piece of the response's body was read, as transferred."""
        if self.over or not sent:
            return
        if not self._body_size:
            self._first_byte = t
        self._last_byte = t
        self._body_size += len(sent)
        if self._stream is None:
            self._pieces.append(sent)
            self._hold(len(sent))
        else:
            self._events(t, sent, self._stream)
        self._recorder.flush()

    def request_trailers(self, t: float, pairs: Headers) -> None:
        """Trailers were read after the request's body."""
        if not self.over:
            self._put(Entry(t, t, {"from": "client", "x": self.x, "trailers": self._shown(pairs)}, "info"))
            self._recorder.flush()

    def trailers(self, t: float, pairs: Headers) -> None:
        """Trailers were read after the response's body."""
        if not self.over:
            self._put(Entry(t, t, {"x": self.x, "trailers": self._shown(pairs)}, "info"))
            self._recorder.flush()

    def lose(self, t: float, why: str) -> None:
        """A body of what is known to be recorded was there, and the engine has not got it."""
        if not self.over and self.verdict is not Verdict.UNDECIDED:
            self._recorder.write()
            self._recorder.writer.lose(t, 1, 0, why)

    def end(self, t: float, by: str, why: str, error: str | None = None, wire_size: int | None = None) -> None:
        """The exchange is over; `by` and `why` are those of the `close` record.

        `wire_size` is what the response's body took with the framing of its chunks, where the engine sees it.
        """
        if not self.over:
            self._record_request(t, None)
            self._end_body()
            size = None if self._decoded else self._body_size
            fields: dict[str, object] = {"x": self.x, "by": by, "why": why, "body_size": size}
            if error is not None:
                fields["error"] = error
            if wire_size is not None and wire_size != self._body_size:
                fields["wire_size"] = wire_size
            self._put(Entry(t, t, fields, "close"))
            self.decide(Verdict.OTHER)  # where nothing has told that it is MCP
            self._recorder.flush()
        self._ended = True

    @property
    def _response_encoding(self) -> str:
        """The content-encoding that the response's body still has."""
        return "" if self._decoded else _encoding(self._response_headers)

    def _record_request(self, t: float, body_size: int | None) -> None:
        """Write the request's head, once."""
        head, self._head = self._head, None
        if head is None:
            return
        fields = {
            "x": self.x,
            "conn": self._conn,
            "client": self._client,
            "method": head.method,
            "url": self._recorder.redactor.url(head.url),
            "http": head.http,
            "headers": self._shown(head.headers),
            "head_size": head.size,
            "body_size": body_size,
        }
        self._put(Entry(t, self._asked, fields, "request"))

    def _events(self, t: float, sent: bytes, stream: EventStream) -> None:
        for block in stream.feed(t, sent):
            self._event(block)
        if stream.undecodable:
            fields = {"from": "server", "x": self.x, "encoding": self._response_encoding}
            self._put(Entry(t, t, fields, body=sent, size=len(sent)))

    def _event(self, block: SseBlock) -> None:
        data = block.data
        if data and (self.verdict is Verdict.UNDECIDED or block.event == "endpoint"):
            self.decide(self._recorder.recogniser.event(self.url, block.event, data))
        self._put(event(self.x, block))

    def _end_body(self) -> None:
        last = self._stream.flush() if self._stream is not None else None
        if last is not None:
            self._put(event(self.x, last))
        sent, self._pieces = b"".join(self._pieces), []
        fields = {"from": "server", "x": self.x}
        for entry in whole(fields, self._first_byte, self._last_byte, self._response_encoding, sent):
            if self.verdict is Verdict.AUTH:
                self._recorder.recogniser.metadata(entry.body)
            self._put(entry)

    def _put(self, entry: Entry) -> None:
        if self.verdict is Verdict.UNDECIDED:
            self._held.append(entry)
            self._hold(len(entry.body))
        elif self.verdict is not Verdict.OTHER:
            self._write(entry)

    def _hold(self, size: int) -> None:
        self._held_size += size
        if self._held_size > HELD:
            self.decide(Verdict.OTHER)

    def _write(self, entry: Entry) -> None:
        redactor = self._recorder.redactor
        if entry.type is None and (redactor.points or (self.verdict is Verdict.AUTH and redactor.enabled)):
            entry = self._without_secrets(entry)
        self._recorder.take(entry)

    def _without_secrets(self, entry: Entry) -> Entry:
        redactor = self._recorder.redactor
        if "encoding" in entry.fields:  # what stands in it cannot be known
            hidden = redactor.conceal(entry.body.hex()).encode()
            return entry._replace(body=hidden, fields={k: v for k, v in entry.fields.items() if k != "encoding"})
        if self.verdict is not Verdict.AUTH:
            return entry._replace(body=redactor.message(entry.body))
        headers = self._request_headers if entry.fields["from"] == "client" else self._response_headers
        return entry._replace(body=redactor.body(media_type(headers), entry.body))

    def _shown(self, headers: Headers) -> list[list[str]]:
        return self._recorder.redactor.headers(headers)


def _encoding(headers: Headers) -> str:
    return ", ".join(values(headers, "content-encoding")).strip().lower()
