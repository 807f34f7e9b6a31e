"""Exchanges beside MCP → the session of the client that they belong to, as far as they are steps of OAuth.

A step is a session's by the server that it is about, else by its client alone. Steps that come before any session of
their client wait for it. Everything else (health checks, other APIs) is let go without a word.
"""

from __future__ import annotations

from collections.abc import Callable

from mcpsniff.protocol.authorization import ENDPOINTS, Tokens, endpoint, named_issuers
from mcpsniff.protocol.bounded import BoundedDict, Drops
from mcpsniff.protocol.challenges import Challenge, is_challenge
from mcpsniff.protocol.credentials import credentials
from mcpsniff.protocol.exchange import HttpExchange, joined_url
from mcpsniff.protocol.marks import Framing
from mcpsniff.protocol.oauth import Step, StepKind, bare_url, step_of
from mcpsniff.protocol.session import Session

from .conversation import Conversation
from .scope import HttpScope

NAMED_CAP = 2_000  # URLs that metadata named
WAITING_CAP = 200  # clients without a session
STEPS_WAITING = 20  # of one client


class Aside:
    """Takes what is beside MCP, and the refusals of MCP servers that lead there."""

    def __init__(self, scope: HttpScope, conversation_of: Callable[[Session], Conversation], drops: Drops) -> None:
        self._scope = scope
        self._conversation_of = conversation_of
        self._tokens = Tokens(drops)
        self._named: BoundedDict[str, tuple[StepKind, Session]] = BoundedDict("oauth endpoints", NAMED_CAP, drops)
        self._waiting: BoundedDict[str, list[Step]] = BoundedDict("clients without a session", WAITING_CAP, drops)

    def claims(self, exchange: HttpExchange) -> bool:
        """Whether metadata or a challenge named this URL."""
        return bare_url(exchange.url) in self._named

    def opened(self, exchange: HttpExchange, session: Session) -> None:
        """Notes that an exchange is of a session, and gives it what its client did before."""
        session.authorization.tokens = self._tokens
        sent = credentials(exchange)
        if sent is not None and sent[1]:
            self._tokens.received.setdefault(sent[1], (session, exchange))
        for step in self._waiting.pop(self._scope.name_of(exchange)) or ():
            self._deliver(step, session)

    def ended(self, exchange: HttpExchange, session: Session) -> None:
        """Looks at the end of an MCP exchange for a challenge."""
        if not is_challenge(exchange):
            return
        framing = exchange.mark.framing if exchange.mark is not None else Framing.BARE
        challenge = Challenge(exchange, session.era.door_mark(exchange.seq, framing))
        self._conversation_of(session).emit("on_challenge", None, challenge)
        session.authorization.challenged(challenge)
        advertised = challenge.params.get("resource_metadata")
        if advertised:
            self._lead(exchange, session, joined_url(exchange.url, advertised), StepKind.RESOURCE)

    def take(self, exchange: HttpExchange) -> None:
        """Takes an exchange that is no MCP, at its end; one that the capture breaks off in says nothing for sure."""
        if exchange.closed_seq is None:
            return
        session = self._scope.client_of(exchange)
        kind, leader = self._named.get(bare_url(exchange.url)) or (None, None)
        step = step_of(exchange, kind)
        if step is None:
            self._beside(exchange)
            self._upstream(exchange)
            return
        if step.kind is StepKind.CLIENT:  # a document that the authorization server fetches
            session = leader
        if session is not None:
            self._deliver(step, session)
            return
        waiting = self._waiting.setdefault(self._scope.name_of(exchange), [])
        if len(waiting) < STEPS_WAITING:
            waiting.append(step)

    def _beside(self, exchange: HttpExchange) -> None:
        """Shows the session of a client what this client asks for elsewhere."""
        session = self._scope.client_of(exchange)
        if session is not None:
            exchange.mark = session.era.unit_mark(exchange.seq)
            self._conversation_of(session).emit("on_aside", None, exchange)

    def _upstream(self, exchange: HttpExchange) -> None:
        """Gives a request of another client, with a token that an MCP server was sent, to that server's session."""
        sent = credentials(exchange)
        known = None if sent is None else self._tokens.received.get(sent[1])
        if known is not None and self._scope.name_of(known[1]) != self._scope.name_of(exchange):
            self._tokens.whole = self._scope.whole
            self._deliver(Step(StepKind.OTHER, exchange, {}), known[0])

    def _deliver(self, step: Step, session: Session) -> None:
        room = session.authorization
        step.mark = session.era.door_mark(step.seq, room.asked)
        self._conversation_of(session).emit("on_oauth", None, step)
        room.take(step)
        self._tokens.take(step)
        self._learn(step, session)

    def _learn(self, step: Step, session: Session) -> None:
        """Notes the URLs that a step names: requests to them are this session's."""
        if step.kind is StepKind.RESOURCE:
            for issuer in named_issuers(step):
                self._scope.lead(step.exchange, session, issuer)
        elif step.kind is StepKind.SERVER:
            for member, kind in ENDPOINTS.items():
                url = endpoint(step, member)
                if url is not None:
                    self._lead(step.exchange, session, url, kind)
        elif step.kind is StepKind.AUTHORIZE and "://" in step.params.get("client_id", ""):
            self._lead(step.exchange, session, step.params["client_id"], StepKind.CLIENT)

    def _lead(self, exchange: HttpExchange, session: Session, url: str, kind: StepKind) -> None:
        self._named.setdefault(bare_url(url), (kind, session))
        self._scope.lead(exchange, session, url)
