"""Which session an HTTP exchange belongs to (REPORT.md, "HTTP scope"; trap T4).

A client is one connection, or one address with one User-Agent and one authorisation; a clientInfo, where sent, tells
clients in one program apart, which may share connections. A session opens with a client's first exchange at an
endpoint; a second `initialize` that is answered with another session id opens the next; the Mcp-Session-Id of a
response names it from then on, for any connection. HTTP+SSE: one GET stream with the POSTs to the URL that its
`endpoint` event names.
"""

from __future__ import annotations

from collections.abc import Callable

from mcpsniff.protocol.bounded import BoundedDict, Drops
from mcpsniff.protocol.exchange import HttpExchange, endpoint_of, joined_url, origin_of, split_url
from mcpsniff.protocol.message import Message
from mcpsniff.protocol.revisions import META_CLIENT_INFO, is_legacy
from mcpsniff.protocol.servers import ServerFacts
from mcpsniff.protocol.session import Session

CAP = 5_000  # sessions told apart by id, by client or by endpoint URL
OPENING = ("initialize", "server/discover")  # methods with which a client begins

NewSession = Callable[[str, ServerFacts, bool], Session]  # (transport, server, from_start) → Session


class _Client:
    """The open sessions of one address, User-Agent and authorisation at one endpoint."""

    __slots__ = ("_by_info", "latest")

    def __init__(self, session: Session, drops: Drops) -> None:
        self.latest = session
        self._by_info: BoundedDict[str, Session] = BoundedDict("http sessions by clientInfo", CAP, drops)

    def of(self, info: str | None) -> Session | None:
        """Gives the session of the program that says it is `info`; None where the latest is another program's."""
        if not self.is_anothers(self.latest, info):
            return self.latest
        return None if info is None else self._by_info.get(info)

    def is_anothers(self, session: Session, info: str | None) -> bool:
        """Whether a session is known to be of another program than the one that says it is `info`."""
        if info is None or session is self._by_info.get(info):
            return False
        return info in self._by_info or any(one is session for one in self._by_info.values())

    def note(self, session: Session, info: str | None) -> None:
        """Takes a session for the latest."""
        self.latest = session
        if info is not None:
            self._by_info[info] = session


class HttpScope:
    """Hands out the sessions of one HTTP capture."""

    def __init__(self, new: NewSession, drops: Drops) -> None:
        self.whole = True  # nothing of the capture is missing so far
        self._new = new
        self._drops = drops
        self._by_id: BoundedDict[tuple[str, str], Session] = BoundedDict("http sessions by id", CAP, drops)
        self._clients: BoundedDict[tuple[str, str], _Client] = BoundedDict("http clients", CAP, drops)
        self._by_conn: BoundedDict[tuple[str, str], Session] = BoundedDict("http sessions by connection", CAP, drops)
        self._by_url: BoundedDict[str, Session] = BoundedDict("sse endpoints", CAP, drops)
        self._challenged: BoundedDict[tuple[str, str], Session] = BoundedDict("http challenges", CAP, drops)
        self._servers: BoundedDict[str, ServerFacts] = BoundedDict("http servers", CAP, drops)
        self._streams: BoundedDict[str, None] = BoundedDict("sse streams", CAP, drops)  # URLs of HTTP+SSE GETs
        self._homes: BoundedDict[tuple[str, str], Session] = BoundedDict("http clients at origins", CAP, drops)
        self._identified: BoundedDict[str, None] = BoundedDict("http sessions with an id", CAP, drops)  # keys

    def knows(self, exchange: HttpExchange) -> bool:
        """Whether MCP was seen at this URL before."""
        return exchange.endpoint in self._servers or self._posted_to(exchange) is not None

    def is_stream_url(self, exchange: HttpExchange) -> bool:
        """Whether each GET of this URL opens an HTTP+SSE session of its own."""
        return exchange.endpoint in self._streams

    def session_of(self, exchange: HttpExchange, first: Message | None = None) -> Session:
        """Gives the session of an exchange; `first` is the first message of its body."""
        info = _client_info(first)
        session = self._posted_to(exchange) or self._named(exchange) or self._open_one(exchange, info)
        if session is None:
            session = self._begin(exchange, from_start=self._is_start(exchange, first))
        self._remember(exchange, session, info)
        return session

    def reopen(self, exchange: HttpExchange, first: Message | None) -> Session:
        """Gives a new session: this client's second `initialize` was answered with another session id."""
        session = self._begin(exchange, from_start=True)
        self._remember(exchange, session, _client_info(first))
        return session

    def stream(self, exchange: HttpExchange) -> Session:
        """Gives the HTTP+SSE session of a GET stream.

        It is the client's open one where that has only tried in vain so far, else a new one.
        """
        own = exchange.session
        if own is not None and own.transport == "http+sse" and not own.streams.announced:
            return own  # type: ignore[no-any-return]
        session = self._open_one(exchange, None)
        if session is None or session.transport == "http+sse" or session.era.served:
            session = self._begin(exchange, from_start=True)
        session.transport = "http+sse"
        self._remember(exchange, session, None)
        self._streams[exchange.endpoint] = None
        return session

    def announced(self, exchange: HttpExchange, data: str) -> Session:
        """Gives the session of a stream whose `endpoint` event announces the URL for the client's messages."""
        session = self.stream(exchange)
        url = joined_url(exchange.url, data.strip())
        self._posts_to(url, session)
        for endpoint in (endpoint_of(url), origin_of(url)):  # a client that posts to a wrong URL is still this one
            self._by_conn[(exchange.conn, endpoint)] = session
            self._note_client((_who(exchange), endpoint), session, None)
        return session

    def answered(self, exchange: HttpExchange, session: Session) -> None:
        """Notes what a response head says: the session's name or new address, or that the client must authorise."""
        id_ = exchange.reply_header("mcp-session-id")
        if id_:
            self._name(exchange, session, id_)
        if exchange.status == 401:
            self._challenged[(exchange.peer, exchange.endpoint)] = session
        if exchange.status in (401, 403):
            self._settle_at(exchange.host, origin_of(exchange.url), session)
        if exchange.redirect is not None and session.transport == "http+sse":
            self._posts_to(exchange.redirect, session)

    def _posts_to(self, url: str, session: Session) -> None:
        for key in _urls(url):
            self._by_url[key] = session

    # what is beside MCP

    def name_of(self, exchange: HttpExchange) -> str:
        """Gives what a client is called by which shows neither session nor credentials."""
        return exchange.peer

    def client_of(self, exchange: HttpExchange) -> Session | None:
        """Gives the session for which a client asks another server, or another URL, something beside MCP.

        It is one that leads to this origin (its own, or one that its metadata name), else the client's latest. A
        browser is another client: it shares at most the address, with the client that was refused last.
        """
        places = [(name, origin) for origin in (origin_of(exchange.url), "") for name in _names(exchange)]
        return next((self._homes[place] for place in places if place in self._homes), None)

    def lead(self, exchange: HttpExchange, session: Session, url: str) -> None:
        """Notes that a session leads the client of an exchange to the server of a URL."""
        for name in _names(exchange):
            self._homes[(name, origin_of(url))] = session

    def _settle_at(self, name: str, origin: str, session: Session) -> None:
        self._homes[(name, origin)] = self._homes[(name, "")] = session

    # looking up

    def _posted_to(self, exchange: HttpExchange) -> Session | None:
        return next((self._by_url[key] for key in _urls(exchange.url) if key in self._by_url), None)

    def _named(self, exchange: HttpExchange) -> Session | None:
        id_ = exchange.header("mcp-session-id")
        return self._by_id.get((origin_of(exchange.url), id_)) if id_ else None

    def _open_one(self, exchange: HttpExchange, info: str | None) -> Session | None:
        """Gives the open session of the client that an exchange comes from, if it is for that one."""
        here = self._on_conn(exchange, exchange.endpoint)
        client = self._clients.get((_who(exchange), exchange.endpoint))
        if here is not None and client is not None and client.is_anothers(here, info):
            here = None  # the connection is one of a pool that several clients in a program share
        session = here or (client and client.of(info)) or self._authorised(exchange) or self._astray(exchange)
        if session is None or exchange.header("mcp-session-id") is None or session.key not in self._identified:
            return session
        # An id that nobody gave in sight: a mistake on the connection of a session that was given another, else a
        # session that began before the capture.
        return here if here is not None and here.session_id is not None else None

    def _on_conn(self, exchange: HttpExchange, endpoint: str) -> Session | None:
        return self._by_conn.get((exchange.conn, endpoint)) if exchange.conn else None

    def _authorised(self, exchange: HttpExchange) -> Session | None:
        """Gives the session that a client goes on with after a 401, now under other credentials."""
        key = (exchange.peer, exchange.endpoint)
        return self._challenged.pop(key) if exchange.header("authorization") else None

    def _astray(self, exchange: HttpExchange) -> Session | None:
        """Gives the HTTP+SSE session of a client that posts to a URL which nobody announced."""
        streamable = exchange.accepts_stream or exchange.method != "POST"
        if streamable or exchange.endpoint in self._servers:
            return None
        origin = origin_of(exchange.url)
        client = self._clients.get((_who(exchange), origin))
        return self._on_conn(exchange, origin) or (client.latest if client is not None else None)

    # changing

    def _is_start(self, exchange: HttpExchange, first: Message | None) -> bool:
        if first is not None and any(part.method in OPENING for part in first.parts):
            return True
        later = is_legacy(exchange.version) or any(map(exchange.header, ("mcp-session-id", "last-event-id")))
        return self.whole and not later

    def _begin(self, exchange: HttpExchange, *, from_start: bool) -> Session:
        server = self._servers.setdefault(exchange.endpoint, ServerFacts())
        server.sessions += 1
        return self._new("http", server, from_start)

    def _remember(self, exchange: HttpExchange, session: Session, info: str | None) -> None:
        self._by_conn[(exchange.conn, exchange.endpoint)] = session
        self._note_client((_who(exchange), exchange.endpoint), session, info)
        for name in filter(None, (exchange.conn, exchange.peer)):
            self._settle_at(name, origin_of(exchange.url), session)
        for origin in (origin_of(exchange.url), ""):
            self._homes.setdefault((exchange.host, origin), session)
        id_ = exchange.header("mcp-session-id")
        if id_:
            self._name(exchange, session, id_)

    def _note_client(self, key: tuple[str, str], session: Session, info: str | None) -> None:
        self._clients.setdefault(key, _Client(session, self._drops)).note(session, info)

    def _name(self, exchange: HttpExchange, session: Session, id_: str) -> None:
        self._by_id.setdefault((origin_of(exchange.url), id_), session)
        self._identified[session.key] = None


def second_initialize(message: Message, session: Session) -> bool:
    """Whether a message is an `initialize` of a client whose first one is under way, was accepted, or was missed."""
    if session.transport != "http" or not any(part.method == "initialize" for part in message.parts):
        return False
    first = session.initialize
    if first is None:
        return not session.from_start
    return session.initialize_result is not None or first.open


def _client_info(first: Message | None) -> str | None:
    """Gives name and version of the program that sent a message, where it says so."""
    for part in first.parts if first is not None else ():
        info = part.params.get("clientInfo") if part.method == "initialize" else part.meta.get(META_CLIENT_INFO)
        if isinstance(info, dict):
            return f"{info.get('name')} {info.get('version')}"
    return None


def _who(exchange: HttpExchange) -> str:
    return f"{exchange.peer} {exchange.header('authorization')}"


def _names(exchange: HttpExchange) -> list[str]:
    """Gives what a client may be known by, the surest first."""
    return [name for name in (exchange.conn, exchange.peer, exchange.host) if name]


def _urls(url: str) -> tuple[str, ...]:
    """Gives what a URL is found by: itself, and path and query alone where the query tells one session from others.

    A server behind a proxy may announce another origin than the client uses.
    """
    url = url.partition("#")[0]
    parts = split_url(url)
    return (url, f"{parts.path}?{parts.query}") if parts.query else (url,)
