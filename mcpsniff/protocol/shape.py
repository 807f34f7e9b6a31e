"""What can be said of a message without its values: kind, sender, method, names of members, and signs of its call.

Messages of one shape are told apart by their values alone, so what depends on the shape is worked out once. Only plain
messages have one: proper JSON-RPC of a single message. Judges nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import Raw

from .calls import Call
from .content import WITH_CONTENT
from .lifecycle import Phase
from .message import ANSWERS, CLIENT, Kind, Message
from .revisions import INPUT_METHODS
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
BARE = 8192  # a result whose content is plain text
RETYPED = 16384  # an answer whose id is not quite that of its request
ESCAPES = 32768  # a string of it has \u escapes


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

    @property
    def shows_task(self) -> bool:
        """Whether a message may hold the state of a task."""
        named = (self.method or "").startswith(("tasks/", "notifications/tasks"))
        return named or "task" in self.members or bool(self.signs & UNFINISHED)

    @property
    def has_parts(self) -> bool:
        """Whether a message may hold questions, answers to them, or content of more than plain texts."""
        if self.kind is Kind.RESULT and self.method in WITH_CONTENT and not self.signs & BARE:
            return True
        if self.sender == CLIENT:
            return self.kind in ANSWERS or "inputResponses" in self.members
        return self.kind is Kind.ERROR or "inputRequests" in self.members or self.method in INPUT_METHODS


def shape_of(message: Message, call: Call | None, session: Session) -> tuple[Any, ...] | None:
    """Gives the shape of a message as a plain tuple (quick to make and to look up), None where it is not plain."""
    if not message.plain:
        return None
    kind, members = message.kind, message.texts
    answers = kind is Kind.RESULT or kind is Kind.ERROR
    method = message.method if not answers else call.method if call is not None else None
    meta: tuple[str, ...] = tuple(message.meta) if "_meta" in members else ()
    if len(members) > LARGEST or len(meta) > LARGEST:
        return None
    signs = _signs_in(message, members)
    if call is not None:
        signs |= _signs_of(call)
        if answers and call.id.key != message.id.key:  # type: ignore[union-attr]
            signs |= RETYPED
    return (kind, message.sender, method, message.mark.final, session.phase, signs, tuple(members), meta)


def _signs_in(message: Message, members: dict[str, Raw]) -> int:
    signs = 0
    if message.exchange is not None:
        signs = EXCHANGE if message.sse is None else EXCHANGE | EVENT
    if message.kind is Kind.RESULT:
        if ("resultType" in members or "status" in members) and not _is_complete(message):
            signs |= UNFINISHED
        if "content" in members and is_bare(message.result["content"]):
            signs |= BARE
    if message.id is not None and _is_long(message.id.text):
        signs |= LONG
    if b"\\u" in message.raw:
        signs |= ESCAPES
    return signs | INNER_META if message.inner_meta else signs


def is_bare(content: Any) -> bool:
    """Whether content is a list of texts with nothing about them, as most is."""
    if not isinstance(content, list):
        return False
    for block in content:
        if not isinstance(block, dict) or len(block) != 2 or block.get("type") != "text":
            return False
        if not isinstance(block.get("text"), str):
            return False
    return True


def _is_complete(message: Message) -> bool:
    if "status" in message.texts and message.result["status"] == "input_required":
        return False
    return "resultType" not in message.texts or message.result_type == "complete"


def _is_long(number: str) -> bool:
    return len(number) > 15 or not (number[0] == '"' or number.isdigit())


def _signs_of(call: Call) -> int:
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
    if "task" in call.request.texts:
        signs |= AUGMENTED
    return signs
