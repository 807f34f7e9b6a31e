"""The two byte streams of a TCP connection → exchanges for `capture.http`: HTTP/1 as h11 reads it. No I/O.

Heads are kept as they were sent and sizes are those of the wire; requests and responses are paired in their order, so
pipelining, 1xx, early answers, trailers and half-close come out as they were. Never raises on traffic. What is no
HTTP/1, or no longer after an upgrade, is not followed.
"""

import re
from collections import deque
from collections.abc import Callable
from contextlib import suppress

import h11

from mcpsniff.capture.exchange import Exchange
from mcpsniff.capture.heads import Headers, RequestHead, ResponseHead, as_text
from mcpsniff.capture.http import HttpRecorder
from mcpsniff.capture.http1_again import once
from mcpsniff.capture.http1_reader import MessageReader

CUT = "the connection ended inside the answer"

_SWITCHING = 101  # Switching Protocols
_FOLD = re.compile(rb"\r?\n[ \t]+")  # a header line that goes on in the next one


class _Asked:
    """A request whose answer has not ended."""

    def __init__(self, exchange: Exchange, request: h11.Request) -> None:
        self.exchange = exchange
        self.request = request
        self.body: list[bytes] = []


class Http1Connection:
    """Follows one client connection and its counterpart to the server at `upstream` (scheme, host and port)."""

    def __init__(self, recorder: HttpRecorder, conn: str, client: str, upstream: str) -> None:
        self.lost: str | None = None  # why a part of it could not be followed
        self._new_exchange: Callable[[], Exchange] = lambda: recorder.exchange(conn, client)
        self._upstream = upstream
        self._requests: MessageReader | None = MessageReader(h11.SERVER)  # None: not followed any more
        self._responses: MessageReader | None = MessageReader(h11.CLIENT)
        self._asking: _Asked | None = None  # the request that is being read
        self._asked: deque[_Asked] = deque()  # oldest first; the first is being answered
        self._client_ended = False

    def from_client(self, t: float, data: bytes) -> None:
        """Bytes of the client were read."""
        if self._requests is not None:
            self._requests.feed(data)
            self._read_requests(t, self._requests)

    def from_server(self, t: float, data: bytes) -> None:
        """Bytes of the server were read."""
        if self._responses is None:
            return
        if self._asked:
            self._responses.feed(data)
            self._read_responses(t, self._responses)
        else:
            self._lose_server("the server spoke unasked")

    def client_ended(self, t: float) -> None:
        """The client will send no more; it may still read."""
        self._client_ended = True
        self._cut_request(t)

    def server_ended(self, t: float) -> None:
        """The server will send no more: a body without a length is complete, any other answer is cut."""
        cut = None
        if self._responses is not None and self._asked:
            self._responses.feed(b"")
            with suppress(h11.RemoteProtocolError):
                self._take_responses(t, self._responses)
            cut = None if self._responses.in_head else CUT
        if self._client_ended:  # it closed first
            self._end(t, "client", "closed")
        else:
            self._end(t, "server", "closed", cut)

    def reset(self, t: float, by: str) -> None:
        """`by` ("client" or "server") has broken the connection off, or is found to be gone."""
        self._end(t, by, "closed" if by == "client" and self._client_ended else "reset")

    def unreached(self, t: float, error: str) -> None:
        """There was no connection to the server."""
        self._end(t, "proxy", "upstream", error)

    def stop(self, t: float, error: str | None = None) -> None:
        """Nothing more will be told of the connection, which goes on."""
        self._end(t, "open", "shutdown", error)

    def _read_requests(self, t: float, requests: MessageReader) -> None:
        try:
            while (event := requests.event()) is not None:
                self._request_event(t, event, requests)
        except h11.RemoteProtocolError as error:
            self._lose_client(t, f"the client's bytes are no HTTP/1: {error}")

    def _request_event(self, t: float, event: h11.Event, requests: MessageReader) -> None:
        if type(event) is h11.Request:
            asked = self._asking = _Asked(self._new_exchange(), event)
            asked.exchange.request(t, self._request_head(event, requests.head))
            if not self._asked and self._responses is not None:
                self._responses.next_message(event)
            self._asked.append(asked)
        elif type(event) is h11.Data and self._asking is not None:
            if not self._asking.exchange.over:
                self._asking.body.append(bytes(event.data))
        elif type(event) is h11.EndOfMessage:
            asking = self._asking
            self._cut_request(t)
            if asking is not None and event.headers:
                asking.exchange.request_trailers(t, as_text(event.headers.raw_items()))
            if not requests.may_switch:
                requests.next_message()

    def _cut_request(self, t: float) -> None:
        """The body of the request that is being read has ended, or comes no further."""
        asked, self._asking = self._asking, None
        if asked is not None:
            asked.exchange.request_body(t, b"".join(asked.body))

    def _read_responses(self, t: float, responses: MessageReader) -> None:
        try:
            self._take_responses(t, responses)
        except h11.RemoteProtocolError as error:
            if responses.in_head and self._asked:  # what stands where a head belongs is kept as a body
                self._asked[0].exchange.piece(t, responses.head)
            self._lose_server(f"the server's bytes are no HTTP/1: {error}")
            self._end(t, "server", "closed", self.lost)

    def _take_responses(self, t: float, responses: MessageReader) -> None:
        while self._asked and (event := responses.event()) is not None:
            self._response_event(t, event, responses, self._asked[0].exchange)

    def _response_event(self, t: float, event: h11.Event, responses: MessageReader, exchange: Exchange) -> None:
        if type(event) is h11.InformationalResponse and event.status_code != _SWITCHING:
            exchange.info(t, event.status_code, _headers(responses.head))
            responses.expect_head()
        elif isinstance(event, (h11.Response, h11.InformationalResponse)):
            headers, size = _headers(responses.head), len(responses.head)
            exchange.response(t, ResponseHead(event.status_code, _version(event), headers, size))
            self._settle_switch(t, responses)
        elif type(event) is h11.Data:
            exchange.piece(t, bytes(event.data))
        elif type(event) is h11.EndOfMessage:
            if event.headers:
                exchange.trailers(t, as_text(event.headers.raw_items()))
            self._answered(t, responses)

    def _settle_switch(self, t: float, responses: MessageReader) -> None:
        """An upgrade or a tunnel is granted: the connection speaks something else; or refused: it goes on."""
        if responses.may_switch:
            self._asked.popleft().exchange.end(t, "server", "complete")
            self._end(t, "open", "shutdown")
        elif self._requests is not None and self._requests.may_switch:
            self._requests.next_message()
            self._read_requests(t, self._requests)

    def _answered(self, t: float, responses: MessageReader) -> None:
        self._asked.popleft().exchange.end(t, "server", "complete", wire_size=responses.body_on_wire)
        responses.next_message(self._asked[0].request if self._asked else None)
        if not self._asked and responses.rest:
            self._lose_server("the server spoke unasked")

    def _lose_client(self, t: float, why: str) -> None:
        self.lost = self.lost or why
        self._requests = None
        self._cut_request(t)

    def _lose_server(self, why: str) -> None:
        self.lost = self.lost or why
        self._responses = None

    def _end(self, t: float, by: str, why: str, error: str | None = None) -> None:
        """Ends whatever is open; the connection is not followed any more."""
        self._cut_request(t)
        self._requests = self._responses = None
        while self._asked:
            self._asked.popleft().exchange.end(t, by, why, error)

    def _request_head(self, event: h11.Request, head: bytes) -> RequestHead:
        target = event.target.decode()
        url = target if "://" in target.partition("?")[0] else f"{self._upstream}/{target.removeprefix('/')}"
        return RequestHead(event.method.decode(), url, _version(event), _headers(head), len(head))


@once
def _headers(head: bytes) -> Headers:
    """The header lines of a head as they were sent, folded ones in one line."""
    lines = _FOLD.sub(b" ", head).splitlines()[1:]
    pairs = (line.partition(b":") for line in lines if line)
    return as_text((name, text.strip()) for name, _, text in pairs)


def _version(event: h11.Request | h11.Response | h11.InformationalResponse) -> str:
    return event.http_version.decode().removesuffix(".0")
