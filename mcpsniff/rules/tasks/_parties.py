"""Who offers tasks, and whose a request is."""

from mcpsniff.protocol.calls import Call
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.message import CLIENT
from mcpsniff.protocol.revisions import declares
from mcpsniff.protocol.session import Session
from mcpsniff.protocol.shape import Shape


def offered(session: Session, call: Call) -> bool | None:
    """Whether the receiver offers tasks for this type of request (2025-11-25); None where that is not known."""
    theirs = session.server_capabilities if call.requester == CLIENT else session.client_capabilities
    return declares(theirs, ("tasks", "requests", *call.method.split("/"))) if theirs is not None else None


def offers_tasks(shape: Shape, session: Session) -> bool:
    """Whether the server offers tasks for tool calls, as a condition on handlers."""
    return declares(session.server_capabilities, ("tasks", "requests", "tools", "call"))


def holder(exchange: HttpExchange | None) -> str | None:
    """Gives the credentials with which a request came: its Authorization header."""
    return exchange.header("authorization") if exchange is not None else None
