"""Which session an HTTP exchange belongs to (REPORT.md, "HTTP scope"; trap T4).

A client is one connection, or one address with one User-Agent and one authorisation. A session opens with a client's
first exchange at an endpoint; an answered second `initialize` with another session id opens the next; the
Mcp-Session-Id of a response names it from then on, for any connection. HTTP+SSE: one GET stream with the POSTs to the
URL that its `endpoint` event names.
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urljoin, urlsplit

from mcpsniff.protocol.bounded import BoundedDict, Drops
from mcpsniff.protocol.era import ServerFacts
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.message import Message
from mcpsniff.protocol.session import Session

CAP = 5_000  # sessions told apart by id, by client or by endpoint URL

NewSession = Callable[[str, ServerFacts, bool], Session]  # (transport, server, from_start) → Session


class HttpScope:
    """Hands out the sessions of one HTTP capture."""

    def __init__(self, new: NewSession, drops: Drops) -> None:
        self._new = new
        self._by_id: BoundedDict[tuple[str, str], Session] = BoundedDict("http sessions by id", CAP, drops)
        self._by_client: BoundedDict[tuple[str, str], Session] = BoundedDict("http sessions by client", CAP, drops)
        self._by_conn: BoundedDict[tuple[str, str], Session] = BoundedDict("http sessions by connection", CAP, drops)
        self._by_url: BoundedDict[str, Session] = BoundedDict("sse endpoints", CAP, drops)
        self._servers: BoundedDict[str, ServerFacts] = BoundedDict("http servers", CAP, drops)

    def knows(self, exchange: HttpExchange) -> bool:
        """Whether MCP was seen at this URL before."""
        return exchange.endpoint in self._servers or _absolute(exchange.url) in self._by_url

    def session_of(self, exchange: HttpExchange) -> Session:
        """Gives the session of an exchange that begins."""
        session = (
            self._by_url.get(_absolute(exchange.url))
            or self._named(exchange)
            or self._by_conn.get((exchange.conn, exchange.endpoint))
            or self._by_client.get(_client(exchange))
        )
        if session is None:
            session = self._open(exchange, from_start=exchange.header("mcp-session-id") is None)
        self._remember(exchange, session)
        return session

    def reopen(self, exchange: HttpExchange) -> Session:
        """Gives a new session: this client's second `initialize` was answered with another session id."""
        session = self._open(exchange, from_start=True)
        self._remember(exchange, session)
        return session

    def name(self, exchange: HttpExchange, session: Session) -> None:
        """Notes the Mcp-Session-Id that a response gave."""
        id_ = exchange.reply_header("mcp-session-id")
        if id_:
            self._by_id[(_origin(exchange), id_)] = session

    def endpoint(self, exchange: HttpExchange, session: Session, data: str) -> None:
        """Notes the URL that an `endpoint` event announces on a GET stream."""
        self._by_url[_absolute(urljoin(exchange.url, data.strip()))] = session

    def _named(self, exchange: HttpExchange) -> Session | None:
        id_ = exchange.header("mcp-session-id")
        return self._by_id.get((_origin(exchange), id_)) if id_ else None

    def _open(self, exchange: HttpExchange, *, from_start: bool) -> Session:
        server = self._servers.setdefault(exchange.endpoint, ServerFacts())
        return self._new("http", server, from_start)

    def _remember(self, exchange: HttpExchange, session: Session) -> None:
        self._by_conn[(exchange.conn, exchange.endpoint)] = session
        self._by_client[_client(exchange)] = session
        id_ = exchange.header("mcp-session-id")
        if id_:
            self._by_id.setdefault((_origin(exchange), id_), session)


def second_initialize(exchange: HttpExchange, request: Message, session: Session) -> bool:
    """Whether this is an `initialize` of a new session in a client that has one with an id already."""
    return (
        request.method == "initialize"
        and session.initialize_result is not None
        and exchange.header("mcp-session-id") is None
    )


def _origin(exchange: HttpExchange) -> str:
    parts = urlsplit(exchange.url)
    return f"{parts.scheme}://{parts.netloc}"


def _absolute(url: str) -> str:
    return url.partition("#")[0]


def _client(exchange: HttpExchange) -> tuple[str, str]:
    who = f"{exchange.address} {exchange.header('user-agent')} {exchange.header('authorization')}"
    return (who, exchange.endpoint)
