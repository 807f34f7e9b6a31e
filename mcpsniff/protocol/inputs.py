"""What a server asks of its client (elicitation, sampling, roots) and what it is given, both eras in one view.

In the handshake revisions an input request is a request of the server and its response a response; in 2026-07-28 they
are entries of inputRequests and inputResponses (basic/patterns/mrtr). Looks up only; judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .calls import Call
from .message import ANSWERS, CLIENT, SERVER, Kind, Message
from .mrtr import input_requests
from .revisions import INPUT_METHODS, LEGACY, MODERN, URL_ELICITATION_REQUIRED
from .schema import pointer
from .taskstates import created

if TYPE_CHECKING:
    from .session import Session


class InputRequest:
    """One question of the server, or a URL elicitation that its error -32042 demands; its params hold anything."""

    __slots__ = ("declared", "declared_seq", "direct", "method", "params", "seq", "where")

    def __init__(self, method: str, params: Any, seq: int, where: str, *, direct: bool) -> None:
        self.method = method
        self.params: dict[str, Any] = params if isinstance(params, dict) else {}
        self.seq = seq  # of the record that holds it
        self.where = where  # JSON pointer of its params
        self.direct = direct  # a request of its own, as in the handshake revisions
        self.declared: list[dict[str, Any]] | None = None  # client capabilities of which one must allow it
        self.declared_seq: int | None = None

    @property
    def revisions(self) -> tuple[str, ...]:
        """The revisions in which servers ask in this form."""
        return LEGACY if self.direct else (MODERN,)

    @property
    def mode(self) -> Any:
        """The mode of an elicitation; form where none is named."""
        return self.params.get("mode", "form")

    def member(self, *path: object) -> str:
        """Gives the JSON pointer of something inside the params."""
        return self.where + pointer(*path)

    def declares(self, name: str) -> list[dict[str, Any]]:
        """Gives the objects under which the client declares a capability; none where it does not, or is unknown."""
        values = [capabilities.get(name) for capabilities in self.declared or ()]
        return [value for value in values if isinstance(value, dict)]


class InputResponse:
    """What the client made of one question."""

    __slots__ = ("error", "refused", "request", "task", "value", "where")

    def __init__(self, request: InputRequest, value: Any, where: str) -> None:
        self.request = request
        self.value: dict[str, Any] = value if isinstance(value, dict) else {}  # empty beside an error or a task
        self.where = where  # JSON pointer of the value
        self.refused = False  # an error came instead of a value
        self.error: dict[str, Any] = {}
        self.task = False  # a task came instead of a value (2025-11-25)

    @property
    def code(self) -> Any:
        """The error code, whatever it is."""
        return self.error.get("code")

    def member(self, *path: object) -> str:
        """Gives the JSON pointer of something inside the value."""
        return self.where + pointer(*path)


def asked(session: Session, message: Message, call: Call | None) -> Iterator[InputRequest]:
    """Gives the questions that a message of the server puts."""
    if call is None or message.sender != SERVER:
        return
    if message.kind is Kind.REQUEST:
        if message.method in INPUT_METHODS:
            yield _direct(session, call)
    elif message.kind is Kind.ERROR:
        yield from _demanded(session, message)
    elif message.kind is Kind.RESULT and "inputRequests" in message.texts:
        for key, entry in input_requests(message).items():
            request = _entry(key, entry, message.seq)
            if request is not None:
                request.declared, request.declared_seq = session.declared_for(call), call.seq
                yield request


def given(session: Session, message: Message, call: Call | None) -> Iterator[InputResponse]:
    """Gives what a message of the client gives for questions that were put."""
    if call is None or call.twin or message.sender != CLIENT:
        return
    if message.kind is Kind.REQUEST:
        for key, value, (request, seq) in _answered(session, message, call):
            entry = _entry(key, request, seq)
            if entry is not None:
                yield InputResponse(entry, value, pointer("params", "inputResponses", key))
        return
    made = session.tasks.creator(call) if call.method == "tasks/result" else call
    if message.kind in ANSWERS and made is not None and made.method in INPUT_METHODS:
        yield _answer(_direct(session, made), message, call)


def _direct(session: Session, call: Call) -> InputRequest:
    return _declared(session, InputRequest(call.method, call.request.params, call.seq, "/params", direct=True))


def _demanded(session: Session, error: Message) -> Iterator[InputRequest]:
    data = error.error.get("data") if error.code == URL_ELICITATION_REQUIRED else None
    entries = data.get("elicitations") if isinstance(data, dict) else None
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        where = f"/error/data/elicitations/{index}"
        yield _declared(session, InputRequest("elicitation/create", entry, error.seq, where, direct=True))


def _declared(session: Session, request: InputRequest) -> InputRequest:
    declared = session.client_capabilities
    if declared is not None and session.initialize is not None:
        request.declared, request.declared_seq = [declared], session.initialize.seq
    return request


def _entry(key: str, entry: Any, seq: int) -> InputRequest | None:
    method = entry.get("method") if isinstance(entry, dict) else None
    if not isinstance(method, str) or method not in INPUT_METHODS:
        return None
    params = entry.get("params")
    if not isinstance(params, dict) and method != "roots/list":  # which needs none; else input-request-invalid
        return None
    return InputRequest(method, params, seq, pointer("result", "inputRequests", key, "params"), direct=False)


def _answer(request: InputRequest, message: Message, call: Call) -> InputResponse:
    refused = message.kind is Kind.ERROR
    task = created(message, call) is not None
    response = InputResponse(request, None if refused or task else message.raw_result, "/result")
    response.refused, response.task, response.error = refused, task, message.error
    return response


def _answered(session: Session, message: Message, call: Call) -> Iterator[tuple[str, Any, tuple[Any, int]]]:
    """Gives key and value of each response, and what was asked under that key with its record."""
    values, task = message.params.get("inputResponses"), session.tasks.named(call)
    for key, value in values.items() if isinstance(values, dict) else ():
        if call.leg is not None:
            yield key, value, (call.leg.requests.get(key), call.leg.seq)
        elif call.method == "tasks/update" and task is not None:
            question = task.questions.get(key)
            if question is not None:
                yield key, value, (question.request, question.seq)
