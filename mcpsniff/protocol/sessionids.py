"""The Mcp-Session-Ids that one session was given, and how each ended (handshake era, basic/transports).

Takes in what responses say; who is at fault is for the rules.
"""

from __future__ import annotations

from dataclasses import dataclass

from .exchange import HttpExchange
from .servers import ServerFacts

CAP = 100  # ids of one session
SERVER_CAP = 1_000  # ids of one server
GIVEN, LATE, LEARNED = "initialize", "late", "learned"
DELETED, LOST = "DELETE", "404"


class GivenId:
    """One session id; records and seconds are those of responses."""

    __slots__ = ("ended_at", "ended_by", "ended_seq", "endpoint", "how", "seq")

    def __init__(self, seq: int, endpoint: str, how: str) -> None:
        self.seq = seq
        self.endpoint = endpoint  # URL that the session is served at
        self.how = how  # GIVEN with the InitializeResult, LATE on another response, LEARNED from a request
        self.ended_seq: int | None = None
        self.ended_at = 0.0
        self.ended_by: str | None = None  # DELETED or LOST

    def ended_before(self, exchange: HttpExchange) -> bool:
        """Whether the client had been told of the end when it sent this request."""
        return self.ended_seq is not None and exchange.seq > self.ended_seq


@dataclass(frozen=True, slots=True)
class Issued:
    """One id that a server gave out with an InitializeResult; several sessions may have got the same."""

    id: str
    owner: SessionIds
    seq: int
    at: float  # seconds


class SessionIds:
    """The ids of one session."""

    def __init__(self, server: ServerFacts) -> None:
        self.first: str | None = None  # given with the InitializeResult
        self._server = server
        self._all: dict[str, GivenId] = {}

    def get(self, id_: str | None) -> GivenId | None:
        return self._all.get(id_) if id_ else None

    @property
    def ended(self) -> int | None:
        """The record of the response that ended the first id, or None."""
        given = self.get(self.first)
        return given.ended_seq if given is not None else None

    def accept(self, exchange: HttpExchange) -> None:
        """Takes in the response that holds an InitializeResult; it revives an id that is given again."""
        id_ = exchange.reply_header("mcp-session-id")
        if id_ is None:
            return
        if self.first is None:
            self.first = id_
        self._give(id_, exchange, GIVEN)
        if exchange.reply_seq is not None and len(self._server.given_ids) < SERVER_CAP:
            self._server.given_ids.append(
                Issued(id_, self, exchange.reply_seq, exchange.reply_at or exchange.opened_at)
            )

    def learn(self, exchange: HttpExchange) -> None:
        """Takes in the id of a request whose session began before the capture."""
        id_ = exchange.header("mcp-session-id")
        if id_ and self.get(id_) is None:
            self._give(id_, exchange, LEARNED)

    def close(self, exchange: HttpExchange) -> None:
        """Takes in what the end of an exchange says of ids."""
        status = exchange.status
        if status is None:
            return
        if exchange.method == "DELETE" and status == 405:
            self._server.refuses_delete = True
        given = self.get(exchange.header("mcp-session-id"))
        if given is not None and given.ended_seq is None:
            _end(given, exchange, status)
        new = exchange.reply_header("mcp-session-id")
        if new and status < 400 and self.get(new) is None and new != exchange.header("mcp-session-id"):
            self._give(new, exchange, LATE)

    def _give(self, id_: str, exchange: HttpExchange, how: str) -> None:
        if len(self._all) < CAP and exchange.reply_seq is not None:
            self._all[id_] = GivenId(exchange.reply_seq, exchange.endpoint, how)


def _end(given: GivenId, exchange: HttpExchange, status: int) -> None:
    """Notes that a session ended: by DELETE, or by a 404 to a POST that is no web page's (a missing route)."""
    deleted = exchange.method == "DELETE" and status < 300
    here = exchange.method == "POST" and exchange.endpoint == given.endpoint
    lost = status == 404 and here and exchange.media_type != "text/html"
    if deleted or lost:
        given.ended_seq, given.ended_at = exchange.reply_seq, exchange.reply_at or exchange.opened_at
        given.ended_by = DELETED if deleted else LOST
