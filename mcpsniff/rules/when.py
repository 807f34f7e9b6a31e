"""When a handler is called: conditions on the shape of a message, worked out once a shape.

    @when(result, has("structuredContent"))
    def on_answer(self, message, call): ...

They spare calls and decide nothing: what is not plain goes to every handler of its event and method. Of the session a
condition may ask only what the handshake says (capabilities, revisions): when that changes, all is worked out anew. A
handler with `awake=True` is called for every shape while its rule is awake (`Rule.stir`): for rules that wait for
something that hardly ever comes, or that have seen all they want. One with `once=` looks at messages of such shapes but
once for each `_meta` (and that of the request which they answer), if it finds nothing: parties say the same again and
again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from mcpsniff.protocol import shape as signs
from mcpsniff.protocol.lifecycle import Phase
from mcpsniff.protocol.message import CLIENT, SERVER, Kind
from mcpsniff.protocol.revisions import LISTS
from mcpsniff.protocol.session import Session
from mcpsniff.protocol.shape import Shape

Condition = Callable[[Shape, Session], bool]
Handler = TypeVar("Handler", bound=Callable[..., Any])
OPENING = ("initialize", "server/discover")  # say what a side is in other members


def when(*conditions: Condition, awake: bool = False, once: Condition | None = None) -> Callable[[Handler], Handler]:
    """Has a handler called only for messages of which all conditions hold.

    `awake`: also while its rule is awake; `once`: what it finds in such messages depends on shape and `_meta` alone.
    """

    def decorate(handler: Handler) -> Handler:
        handler.conditions, handler.wakes, handler.once = conditions, awake, once  # type: ignore[attr-defined]
        return handler

    return decorate


def wanted(handler: Any, shape: Shape, session: Session) -> bool:
    """Whether a handler is called for messages of a shape, as long as its rule stays awake or asleep."""
    held = all(condition(shape, session) for condition in getattr(handler, "conditions", ()))
    return held or (handler.wakes and handler.__self__.awake)


def is_once(handler: Any, shape: Shape, session: Session) -> bool:
    """Whether a handler that found nothing in a message need not look at others of the shape with the same `_meta`."""
    once: Condition | None = getattr(handler, "once", None)
    return once is not None and once(shape, session)


# What a message is.


def odd(shape: Shape, session: Session) -> bool:
    """It is not plain: malformed, not of version 2.0, batched, torn, with a strange id or line end."""
    return False


def error(shape: Shape, session: Session) -> bool:
    """It is an error."""
    return shape.kind is Kind.ERROR


def result(shape: Shape, session: Session) -> bool:
    """It is a result."""
    return shape.kind is Kind.RESULT


def by_client(shape: Shape, session: Session) -> bool:
    """The client sent it."""
    return shape.sender == CLIENT


def by_server(shape: Shape, session: Session) -> bool:
    """The server sent it."""
    return shape.sender == SERVER


# What it says, and of which request.


def has(*names: str) -> Condition:
    """Any of these members stands in its params, result or error."""
    return lambda shape, session: any(name in shape.members for name in names)


def lacks(name: str) -> Condition:
    """This member does not stand in its params, result or error."""
    return lambda shape, session: name not in shape.members


def has_meta(*names: str) -> Condition:
    """Any of these members stands in its `_meta`."""
    return lambda shape, session: any(name in shape.meta for name in names)


def lacks_meta(*names: str) -> Condition:
    """One of these members does not stand in its `_meta`."""
    return lambda shape, session: not all(name in shape.meta for name in names)


def either(*conditions: Condition) -> Condition:
    """One of these conditions holds."""
    return lambda shape, session: any(condition(shape, session) for condition in conditions)


def is_method(*names: str) -> Condition:
    """Its method, or that of the request which it answers, is one of these."""
    return lambda shape, session: shape.method in names


def in_phase(*phases: Phase) -> Condition:
    """The handshake has come so far, and no further."""
    return lambda shape, session: shape.phase in phases


def _sign(mask: int) -> Condition:
    return lambda shape, session: bool(shape.signs & mask)


def stray(shape: Shape, session: Session) -> bool:
    """It answers, or belongs to, no request that is known."""
    return not shape.signs & signs.CALLED


over_http = _sign(signs.EXCHANGE)
in_event = _sign(signs.EVENT)  # ... in an event of a stream
retry = _sign(signs.RETRY)  # its request answers questions
id_reused = _sign(signs.REUSED)  # its request has the id of an earlier one
twin = _sign(signs.TWIN)  # ... that was still open
with_token = _sign(signs.TOKEN)  # its request asks for progress
cancelled = _sign(signs.CANCELLED)  # its request was cancelled
answered = _sign(signs.ANSWERED)  # its request has its answer
augmented = _sign(signs.AUGMENTED)  # its request has a `task` member
unfinished = _sign(signs.UNFINISHED)  # a result that is not complete
long_number = _sign(signs.LONG)  # its id or progress token is a number of many digits


def rich(shape: Shape, session: Session) -> bool:
    """Its content, if it has any, is more than plain text."""
    return not shape.signs & signs.BARE


retyped = _sign(signs.RETYPED)  # an answer whose id is not quite that of its request
escapes = _sign(signs.ESCAPES)  # a string in it has \u escapes


def meta_alone(shape: Shape, session: Session) -> bool:
    """Whether `_meta` is all that says something of its sender, and no other `_meta` stands in it."""
    return not shape.signs & signs.INNER_META and shape.method not in OPENING and shape.method not in LISTS


inner_meta = _sign(signs.INNER_META)  # a `_meta` object may stand deeper in it
