"""What the handshake era asks of HTTP (Streamable HTTP): sessions, the GET stream, resumption, DELETE."""

import itertools
import secrets
from typing import Any

from library.build import Build
from library.event_log import EventLog
from library.exchange import Exchange
from library.jsonrpc import INVALID_REQUEST, Message, RpcError, checked, failure, is_request, is_response, readable_id
from library.legacy import LegacySession
from library.revisions import BATCHES_IN, LEGACY, PRIMING_EVENT_SINCE
from library.streams import OpenRequests, Stream

SESSION_HEADER = "Mcp-Session-Id"
KEPT_STREAMS = 20  # streams of one session that can still be resumed
MOST_SESSIONS = 100  # the oldest makes room


class HttpSession:
    """One session of the era, and its streams."""

    def __init__(self, build: Build) -> None:
        self.id = secrets.token_hex(16)
        self.legacy: LegacySession = build.legacy_session(self._tell)
        self.open = OpenRequests()
        self.standing: EventLog | None = None
        self._numbers = itertools.count(1)
        self._logs: dict[str, EventLog] = {}

    def new_log(self) -> tuple[str, EventLog]:
        """Returns a new stream and its name in event ids; the oldest can no longer be resumed."""
        name, log = f"s{next(self._numbers)}", EventLog()
        self._logs[name] = log
        if len(self._logs) > KEPT_STREAMS:
            del self._logs[next(iter(self._logs))]
        return name, log

    def find(self, event_id: str) -> tuple[str, EventLog, int] | None:
        """Returns the stream that an event id belongs to and the event's number, None for an unknown id."""
        name, _, number = event_id.rpartition("-")
        if name in self._logs and number.isdecimal():
            return name, self._logs[name], int(number)
        return None

    def serve(self, request: Message, stream: Stream) -> Message | None:
        """Works for a request, which can be cancelled until that is done, whether or not the client is there."""
        try:
            return self.legacy.handle(request, stream)
        finally:
            self.open.end(stream)

    @property
    def primes(self) -> bool:
        """Whether the revision in force gives events ids and primes a stream for resumption."""
        return (self.legacy.revision or "") >= PRIMING_EVENT_SINCE

    def close(self) -> None:
        """Ends the session and all its streams."""
        self.legacy.close()
        self.open.stop_all()
        if self.standing is not None:
            self.standing.finish()

    def _tell(self, message: Message) -> None:
        """Sends what belongs to no request over the GET stream, where the client has opened one."""
        if self.standing is not None:
            self.standing.send(message)


class LegacyEndpoint:
    """All sessions of a server."""

    def __init__(self, build: Build) -> None:
        self._build = build
        self._sessions: dict[str, HttpSession] = {}

    def close(self) -> None:
        """Ends all sessions."""
        while self._sessions:
            self._sessions.popitem()[1].close()

    def post(self, exchange: Exchange, value: Any) -> None:
        """Takes a message, or a batch where the revision has them."""
        if exchange.header(SESSION_HEADER) is None and isinstance(value, dict) and is_request(value):
            self._post_without_session(exchange, value)
            return
        session = self._session(exchange, readable_id(value))
        if session is None:
            return
        if isinstance(value, list):
            self._post_batch(exchange, session, value)
        elif is_request(value):
            self._answer(exchange, session, value)
        else:
            _take(session, value)
            exchange.reply(202)

    def get(self, exchange: Exchange) -> None:
        """Opens the session's standing stream, or goes on with one that broke."""
        session = self._session(exchange, None)
        if session is None:
            return
        last = exchange.header("Last-Event-ID")
        resumed = None if last is None else session.find(last)
        if resumed is not None:
            name, log, number = resumed
            exchange.reply_events(log, number, name)
        elif session.standing is not None:
            exchange.reply(409)
        else:
            name, session.standing = session.new_log()
            exchange.reply_events(session.standing, id_prefix=name if session.primes else None)
            session.standing = None

    def delete(self, exchange: Exchange) -> None:
        """Ends a session; its id is unknown from then on."""
        session = self._session(exchange, None)
        if session is not None:
            del self._sessions[session.id]
            session.close()
            exchange.reply(204)

    def _post_without_session(self, exchange: Exchange, request: Message) -> None:
        """Opens a session for initialize; refuses everything else, the probe of a dual-era client as told."""
        session = HttpSession(self._build)
        if request["method"] not in ("initialize", "server/discover"):
            error = RpcError(INVALID_REQUEST, f"A request needs the header {SESSION_HEADER}; begin with initialize.")
            exchange.reply_json(400, failure(request["id"], error))
            return
        response = session.legacy.handle(request, EventLog())
        if response is None:
            exchange.reply(400)
        elif session.legacy.revision is None:
            exchange.reply_json(400, response)
        else:
            if len(self._sessions) >= MOST_SESSIONS:
                self._sessions.pop(next(iter(self._sessions))).close()
            self._sessions[session.id] = session
            exchange.reply_json(200, response, {SESSION_HEADER: session.id})

    def _session(self, exchange: Exchange, request_id: Any) -> HttpSession | None:
        """Returns the session that the headers name; answers with the refusal where there is none."""
        session_id = exchange.header(SESSION_HEADER)
        version = exchange.header("MCP-Protocol-Version")
        found = self._sessions.get(session_id or "")
        if session_id is None:
            status, text = 400, f"The header {SESSION_HEADER} is missing."
        elif found is None:
            status, text = 404, "There is no such session; begin with initialize."
        elif version is not None and version not in LEGACY:
            status, text = 400, f"This server does not speak version {version}."
        else:
            return found
        exchange.reply_json(status, failure(request_id, RpcError(INVALID_REQUEST, text)))
        return None

    def _answer(self, exchange: Exchange, session: HttpSession, request: Message) -> None:
        """Answers with JSON where the response comes first, with a stream where something else does.

        A client that goes away has not cancelled: the work goes on, and the stream can be resumed.
        """
        name, log = session.new_log()
        session.open.begin(request["id"], log)
        log.run(session.serve, request)
        response = log.only_response(exchange.client_is_gone)
        if response is not None:
            exchange.reply_json(200, response)
        elif not exchange.client_is_gone():
            _reply_stream(exchange, log, name if session.primes else None)

    def _post_batch(self, exchange: Exchange, session: HttpSession, batch: list[Any]) -> None:
        if session.legacy.revision != BATCHES_IN or not batch:
            raise RpcError(INVALID_REQUEST, "A POST holds one message: this session has no batches.")
        messages = [checked(value) for value in batch]
        for message in messages:
            if not is_request(message):
                _take(session, message)
        answers = [session.legacy.handle(message, EventLog()) for message in messages if is_request(message)]
        if answers:
            exchange.reply_json(200, [answer for answer in answers if answer is not None])
        else:
            exchange.reply(202)


def _take(session: HttpSession, message: Message) -> None:
    if is_response(message):
        session.legacy.answer(message)
    elif message["method"] == "notifications/cancelled":
        session.open.cancel(message.get("params", {}).get("requestId"))
    else:
        session.legacy.notice(message)


def _reply_stream(exchange: Exchange, log: EventLog, name: str | None) -> None:
    """Sends an answer as a stream; one with a name begins with an id and no data, so that it can be resumed."""
    primer = b"" if name is None else f"id: {name}-0\ndata:\n\n".encode()
    exchange.reply_events(log, id_prefix=name, preface=primer)
