"""Which call a message belongs to: it is looked up against the session as it stood when the message arrived."""

from __future__ import annotations

from .calls import Call
from .exchange import HttpExchange
from .ids import JsonId
from .message import CLIENT, SERVER, Kind, Message
from .mirror import faults
from .session import Session


def match(session: Session, message: Message) -> Call | None:
    """Gives the message's call (its own, the one it answers, names or reports on) and sets its era mark."""
    kind = message.kind
    if kind is Kind.REQUEST:
        message.mark = session.era.mark(message)
        return _match_request(session, message)
    call = session.calls.find(message) if kind is Kind.RESULT or kind is Kind.ERROR else named(session, message)
    message.mark = call.mark if call is not None else session.era.mark(message)
    return call


def _match_request(session: Session, message: Message) -> Call:
    call = session.calls.new(message)
    if message.sender == CLIENT:
        members = message.texts
        if "requestState" in members or "inputResponses" in members:
            call.leg = session.legs.find(message)
        if message.exchange is not None:
            call.header_faults = faults(message, session.lists)
    if call.first_use is not None and restarts(session, message):
        call.first_use = None
    return call


def restarts(session: Session, message: Message) -> bool:
    """Whether an `initialize` without a session id begins anew on a server that gives out none."""
    exchange: HttpExchange | None = message.exchange
    opens = message.method == "initialize" and (session.initialize is not None or not session.from_start)
    return opens and exchange is not None and exchange.header("mcp-session-id") is None


def named(session: Session, message: Message) -> Call | None:
    """Gives the call that a notification names: the one it cancels or reports on."""
    if message.method == "notifications/cancelled":
        named = message.token("requestId")
        return _cancels(session, message.sender, named) if named else None
    if message.method == "notifications/progress":
        token = message.token("progressToken")
        requester = SERVER if message.sender == CLIENT else CLIENT
        return session.calls.by_token(requester, token) if token else None
    return None


def _cancels(session: Session, sender: str, named: JsonId) -> Call | None:
    """Gives the request that a cancellation names: the sender's own, or a listen stream that the server ends."""
    own = session.calls.waiting(sender, named)
    if own is not None or sender == CLIENT:
        return own
    subscription = session.subscriptions.by_id(named)
    return subscription.call if subscription is not None else None
