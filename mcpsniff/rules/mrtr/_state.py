"""Whether the requestState of a retry is the right one; shared by the rules of this folder."""

from __future__ import annotations

from mcpsniff.protocol.calls import Call
from mcpsniff.protocol.mrtr import Leg
from mcpsniff.protocol.session import Session

UNSEEN = "the capture does not hold every question that was asked"


def unseen(session: Session) -> bool:
    """Whether a question, or the state that came with it, may be missing from what is known of a session."""
    return not session.whole or bool(session.legs.states.dropped)


def state_of(call: Call) -> str | None:
    """Gives the requestState of a request."""
    state = call.request.params.get("requestState")
    return state if isinstance(state, str) else None


def altered(call: Call) -> bool:
    """Whether a retry gives back another state than that of the leg which it surely answers."""
    leg, state = call.leg, state_of(call)
    if leg is None or leg.state is None or state is None or state == leg.state:
        return False
    return bool(leg.common_keys(call.request)) and leg.same_arguments(call.request)


def foreign(session: Session, call: Call) -> Leg | None:
    """Gives the leg of another method or target that issued the state of a request, where none of its own did."""
    state = state_of(call)
    issuer = session.legs.issuer(state) if state is not None else None
    if state is None or issuer is None or session.legs.knows(call, state):
        return None
    return issuer if (issuer.call.method, issuer.call.target) != (call.method, call.target) else None
