"""URL elicitations of one server: which id was offered with which URL in which session (2025-11-25 client/elicitation).

Ids are the server's, so that all its sessions share one store; whether an id was used well is not known here.
"""

from __future__ import annotations

from typing import Any

from .bounded import Drops
from .exchange import HttpExchange
from .inputs import InputRequest
from .message import Message
from .servers import ServerFacts

CAP = 10_000  # ids, per server
STORE = "url elicitations"


class Offer:
    """One elicitation id; the client is the one that it was offered to first."""

    __slots__ = ("completed", "credentials", "peer", "seq", "session", "url")

    def __init__(self, url: Any, seq: int, session: str, exchange: HttpExchange | None) -> None:
        self.url = url
        self.seq = seq
        self.session = session  # its key
        self.credentials, self.peer = _client(exchange)
        self.completed: int | None = None  # record of the notification

    def same_client(self, exchange: HttpExchange | None) -> bool:
        """Whether an exchange comes from this client, by its credentials or else by its address and name."""
        credentials, peer = _client(exchange)
        if credentials is not None or self.credentials is not None:
            return credentials == self.credentials
        return peer == self.peer


class Offers:
    """The elicitation ids that one session, or another of the same server, has seen."""

    def __init__(self, key: str, drops: Drops, server: ServerFacts) -> None:
        self._key = key
        self._drops = drops
        self._all: dict[str, Offer] = server.offers

    def of(self, id_: Any) -> Offer | None:
        """Gives what is known of an id."""
        return self._all.get(id_) if isinstance(id_, str) else None

    def is_here(self, offer: Offer) -> bool:
        """Whether an id was offered in this session."""
        return offer.session == self._key

    @property
    def forgot(self) -> bool:
        """Whether a cap threw ids away: absence proves nothing any more."""
        return self._drops[STORE] > 0

    def add(self, request: InputRequest, message: Message) -> None:
        """Takes in a question; most are no URL elicitation."""
        id_ = request.params.get("elicitationId")
        if request.mode != "url" or not isinstance(id_, str) or id_ in self._all:
            return
        self._all[id_] = Offer(request.params.get("url"), message.seq, self._key, message.exchange)
        if len(self._all) > CAP:
            del self._all[next(iter(self._all))]
            self._drops.forget(STORE, CAP)

    def complete(self, notification: Message) -> None:
        """Takes in notifications/elicitation/complete."""
        offer = self.of(notification.params.get("elicitationId"))
        if offer is not None and offer.completed is None:
            offer.completed = notification.seq


def _client(exchange: HttpExchange | None) -> tuple[str | None, str]:
    if exchange is None:
        return None, ""
    return exchange.header("authorization"), exchange.peer
