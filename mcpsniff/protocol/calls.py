"""A call: one request and what became of it."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from enum import Enum
from typing import Any

from .exchange import HttpExchange
from .ids import JsonId
from .jsonvalue import decode
from .lazily import give
from .message import Kind, Message
from .revisions import META_CLIENT_CAPABILITIES, NAME_SOURCE


class Outcome(Enum):
    """What became of a request."""

    __hash__ = object.__hash__  # that of Enum is a Python function

    OPEN = "open"
    RESULT = "result"
    ERROR = "error"
    TOOL_ERROR = "tool_error"
    INPUT_REQUIRED = "input_required"
    CANCELLED = "cancelled"


class Call:
    """A request and what became of it; times in seconds on the capture's clock."""

    # Nearly every call is like this for most of its life.
    answer_seq: int | None = None
    answered_on: HttpExchange | None = None  # whose response held the answer
    ended: float | None = None
    made_task = False  # the answer was a task, which goes on (2025-11-25)
    outcome = Outcome.OPEN
    cancelled_seq: int | None = None
    cancelled_at: float | None = None
    refused = False  # the transport refused the request (trap T8): it was never processed
    progress: Decimal | None = None  # last value
    progress_seq: int | None = None
    progress_at: float | None = None
    progress_on: HttpExchange | None = None  # whose response held it
    first_use: int | None = None  # earlier request of this sender with this id in the session
    same_open: Call | None = None  # ... that is still unanswered
    twin = False  # two requests with this id were open at once: an answer may be for either
    header_faults: tuple[Any, ...] = ()  # of the headers that mirror it: mirror.Fault
    leg: Any = None  # the mrtr Leg that this request retries

    target: str | None  # the tool or prompt name, or the resource URI, that the request names
    client_capabilities: dict[str, Any] | None  # of the request's own envelope (modern era), or None
    token: JsonId | None  # its progress token

    def __init__(self, request: Message) -> None:
        self.request = request
        self.requester = request.sender
        self.id: JsonId = request.id or JsonId("null")
        self.method = request.method or ""
        self.seq = request.seq
        self.started = request.at
        self.mark = request.mark
        self.exchange: HttpExchange | None = request.exchange

    @property
    def open(self) -> bool:
        """Whether it still waits: neither answered nor cancelled nor refused by the transport."""
        return self.answer_seq is None and self.cancelled_seq is None and not self.refused

    @property
    def reserves_id(self) -> bool:
        """Whether its id must not be used again yet: a cancelled request may still be answered on stdio."""
        if self.exchange is not None:
            return self.open and self.exchange.closed_seq is None
        cancelled = self.cancelled_seq is not None and self.method == "subscriptions/listen"
        return self.answer_seq is None and not self.refused and not cancelled

    def end(self, answer: Message) -> None:
        """Notes the answer."""
        self.answer_seq, self.ended, self.answered_on = answer.seq, answer.at, answer.exchange
        self.made_task = "task" in answer.texts and _makes_task(self.request, answer)
        self.outcome = _outcome(self, answer)

    def report(self, progress: Message) -> None:
        """Notes a progress notification, unless its value is no number."""
        self.mark.worked = True
        value = progress_of(progress)
        if value is not None:
            self.progress, self.progress_seq = value, progress.seq
            self.progress_at, self.progress_on = progress.at, progress.exchange


def _target(request: Message) -> str | None:
    text = request.texts.get(NAME_SOURCE.get(request.method or "", ""))
    value = None if text is None else decode(text)
    return value if isinstance(value, str) else None


def _capabilities(request: Message) -> dict[str, Any] | None:
    value = request.meta.get(META_CLIENT_CAPABILITIES) if "_meta" in request.texts else None
    return value if isinstance(value, dict) else None


_WORKED_OUT: dict[str, Callable[[Call], Any]] = {
    "target": lambda call: _target(call.request),
    "client_capabilities": lambda call: _capabilities(call.request),
    "token": lambda call: call.request.token("_meta", "progressToken"),
}
give(Call, _WORKED_OUT)


def progress_of(message: Message) -> Decimal | None:
    """Gives the progress value of a notification, exactly; None where it is no number."""
    params = message.exact.get("params")
    value = params.get("progress") if isinstance(params, dict) else None
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return None
    number = Decimal(value)
    return number if number.is_finite() else None


def _makes_task(request: Message, answer: Message) -> bool:
    return isinstance(answer.result.get("task"), dict) and "task" in request.texts


def _outcome(call: Call, answer: Message) -> Outcome:
    if answer.kind is Kind.ERROR:
        return Outcome.ERROR
    members = answer.texts
    if "resultType" in members and answer.result_type == "input_required":
        return Outcome.INPUT_REQUIRED
    if call.method == "tools/call" and "isError" in members and bytes(members["isError"]) == b"true":
        return Outcome.TOOL_ERROR
    return Outcome.RESULT
