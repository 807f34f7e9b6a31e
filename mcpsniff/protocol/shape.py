"""What can be said of a message without its values: kind, sender, method, names of members, and signs of its call.

Messages of one shape are told apart by their values alone, so what depends on the shape is worked out once. Only plain
messages have one: proper JSON-RPC of a single message. Judges nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .calls import Call
from .lifecycle import Phase
from .message import Kind, Message
from .session import Session

LARGEST = 60  # members of a message that has a shape

# Signs: what its call, its id or a value of it shows.
CALLED = 1  # it asks, or belongs to a request that is known
RETRY = 2  # its request continues one that was answered with questions
REUSED = 4  # its request has an id that this sender used before
TWIN = 8  # ... and that one was still open
TOKEN = 16  # its request asks for progress
CANCELLED = 32  # its request was cancelled
ANSWERED = 64  # its request was answered before
AUGMENTED = 128  # its request asks for a task (2025-11-25)
UNFINISHED = 256  # a result that says it is not complete
LONG = 512  # its id or its progress token is a number of many digits
EXCHANGE = 1024  # it came over HTTP
EVENT = 2048  # ... in an event of a stream
INNER_META = 4096  # a `_meta` object may stand deeper in it


class Shape(NamedTuple):
    """The shape of one plain message, as far as the session has come."""

    kind: Kind
    sender: str
    method: str | None  # its own, or that of the request which it answers
    revision: str | None  # of its exchange, where that is settled
    phase: Phase
    signs: int
    members: tuple[str, ...]  # of params, result or error
    meta: tuple[str, ...]  # of `_meta`


def shape_of(message: Message, call: Call | None, session: Session) -> tuple[Any, ...] | None:
    """Gives the shape of a message as a plain tuple (quick to make and to look up), None where it is not plain."""
    if not message.plain:
        return None
    kind = message.kind
    if kind is Kind.RESULT:
        body, method = message.result, call.method if call is not None else None
    elif kind is Kind.ERROR:
        body, method = message.error, call.method if call is not None else None
    else:
        body, method = message.params, message.method
    if len(body) > LARGEST:
        return None
    meta = message.meta if "_meta" in body else body
    names = tuple(meta) if meta is not body else ()
    if len(names) > LARGEST:
        return None
    signs = 0 if call is None else _signs_of(call, kind)
    if message.exchange is not None:
        signs |= EXCHANGE if message.sse is None else EXCHANGE | EVENT
    if kind is Kind.RESULT and ("resultType" in body or "status" in body) and not _is_complete(body):
        signs |= UNFINISHED
    if message.id is not None and _is_long(message.id.text):
        signs |= LONG
    if message.raw.count(b'"_meta"') > ("_meta" in body):
        signs |= INNER_META
    return (kind, message.sender, method, message.mark.final, session.phase, signs, tuple(body), names)


def _is_complete(result: dict[str, Any]) -> bool:
    return result.get("resultType", "complete") == "complete" and result.get("status") != "input_required"


def _is_long(number: str) -> bool:
    return len(number) > 15 or not (number[0] == '"' or number.isdigit())


def _signs_of(call: Call, kind: Kind) -> int:
    signs = CALLED
    if call.leg is not None:
        signs |= RETRY
    if call.first_use is not None:
        signs |= REUSED
    if call.same_open is not None or call.twin:
        signs |= TWIN
    if call.token is not None:
        signs |= TOKEN | LONG if _is_long(call.token.text) else TOKEN
    if call.cancelled_seq is not None:
        signs |= CANCELLED
    if call.ended is not None:
        signs |= ANSWERED
    if "task" in call.request.params:
        signs |= AUGMENTED
    return signs
