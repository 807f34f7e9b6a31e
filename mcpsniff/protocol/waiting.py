"""Until when an answer could come, and whether a session ended in order; no opinions."""

from __future__ import annotations

from .calls import Call
from .message import CLIENT
from .session import Session


def heard_until(session: Session) -> float:
    """Gives the seconds until which an answer could come: the end of a stream, of the process or of the capture."""
    process = session.process
    ends = [at for _, at in process.eof.values()] if process is not None else []
    if process is not None and process.exit_at is not None:
        ends.append(process.exit_at)
    return min([session.end_at, *ends])


def ended_in_order(session: Session) -> bool:
    """Whether the client closed stdin and the server then ended by itself, content with what it had done."""
    process = session.process
    return process is not None and not process.stdin_open and not process.signals and process.code == 0


def could_still_come(session: Session, call: Call) -> bool:
    """Whether nothing but the peer's silence keeps an answer back."""
    process = session.process
    if process is not None:
        return not process.died
    exchange = call.exchange
    over_stream = session.transport == "http" and call.requester == CLIENT
    return not over_stream or exchange is None or exchange.closed_seq is None
