"""Where messages show the state of a task (2025-11-25 basic/utilities/tasks; the tasks extension of 2026-07-28).

Both eras' forms are read as they stand: the task object of the handshake era, the flat members of the extension.
What a state may be, and which one may follow, is for the rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from .calls import Call
from .exchange import HttpExchange
from .message import Kind, Message
from .revisions import LEGACY, META, REQUESTS, TASKS_EXTENSION
from .schema import RESULTS, Unjudged, flaws

TERMINAL = frozenset(("completed", "failed", "cancelled"))
STATUSES = frozenset(("working", "input_required")) | TERMINAL
RELATED = META + "related-task"  # key of _meta, 2025-11-25
STATUS_NOTIFICATIONS = ("notifications/tasks/status", "notifications/tasks")
FLAT = frozenset(("tasks/get", "tasks/cancel"))  # whose result is a task
CROSSING = 1.0  # seconds in which messages on two streams may have overtaken each other (trap T6)


@dataclass(frozen=True, slots=True)
class State:
    """One state of a task that was shown, as it is kept; times in seconds."""

    status: str | None
    seq: int
    at: float  # on the capture's clock
    mark: Any
    sender: str  # the task's receiver
    stream: str | None  # the HTTP exchange that carried it
    asked: int | None  # record of the request that it answers
    created: float | None  # the receiver's own times
    updated: float | None
    digest: bytes  # of result and error

    def follows(self, earlier: State) -> bool:
        """Whether the receiver surely showed this one after the other: one stream, or asked for after that."""
        if self.stream == earlier.stream:
            return self.seq > earlier.seq
        return self.asked > earlier.seq if self.asked is not None else self.at - earlier.at > CROSSING

    def is_older(self, than: State) -> bool:
        """Whether the receiver's own time says that this is the older of the two."""
        return self.updated is not None and than.updated is not None and self.updated < than.updated


@dataclass(frozen=True, slots=True)
class Shown:
    """A task object in a message."""

    id: str | None  # its own, else the one that was asked for
    value: dict[str, Any]
    where: str  # JSON pointer
    message: Message
    asked: Call | None  # the request that it answers

    @property
    def method(self) -> str | None:
        """The method of the request that it answers, or of the notification that it is."""
        return self.asked.method if self.asked is not None else self.message.method

    @property
    def new(self) -> bool:
        """Whether it announces a task, in place of a result."""
        return self.asked is not None and not self.asked.method.startswith("tasks/")

    @property
    def listed(self) -> bool:
        """Whether it stands on a page of tasks/list, which may be of an earlier moment."""
        return self.where.startswith("/result/tasks/")

    @property
    def status(self) -> str | None:
        value = self.value.get("status")
        return value if isinstance(value, str) else None

    @property
    def state(self) -> State:
        """What is kept of it."""
        message, status = self.message, self.status
        exchange: HttpExchange | None = message.exchange
        return State(
            status=status,
            seq=message.seq,
            at=message.at,
            mark=message.mark,
            sender=message.sender,
            stream=exchange.x if exchange is not None else None,
            asked=self.asked.seq if self.asked is not None else None,
            created=seconds(self.value.get("createdAt")),
            updated=seconds(self.value.get("lastUpdatedAt")),
            digest=digest([self.value.get("result"), self.value.get("error")]) if status in TERMINAL else b"",
        )


def may_be_of_task(message: Message, call: Call | None) -> bool:
    """Whether a message may be about a task, by its method and the names of its members."""
    method = call.method if call is not None else message.method or ""
    members = message.texts
    if "task" in members or method.startswith(("tasks/", "notifications/tasks")):
        return True
    if "resultType" in members and message.result_type != "complete":
        return True
    if "_meta" in members and RELATED in message.meta:
        return True
    return call is not None and "_meta" in call.request.texts and RELATED in call.request.meta


def shown(message: Message, call: Call | None) -> Iterator[Shown]:
    """Gives the task objects of a message: of a new task, of the answers of tasks/*, of a notification."""
    if message.kind is Kind.NOTIFICATION and message.method in STATUS_NOTIFICATIONS:
        yield _shown(message.params, "/params", message, None)
    elif message.kind is Kind.RESULT and call is not None and isinstance(message.raw_result, dict):
        yield from _answered(message, call)


def _answered(message: Message, call: Call) -> Iterator[Shown]:
    new = created(message, call)
    if new is not None:
        yield new
    elif call.method in FLAT:
        yield _shown(message.result, "/result", message, call)
    elif call.method == "tasks/list":
        entries = message.result.get("tasks")
        for index, entry in enumerate(entries if isinstance(entries, list) else ()):
            if isinstance(entry, dict):
                yield _shown(entry, f"/result/tasks/{index}", message, call)


def created(message: Message, call: Call | None) -> Shown | None:
    """Gives the task that a result stands for, or None where it is an ordinary result."""
    if call is None or message.kind is not Kind.RESULT or call.method.startswith("tasks/"):
        return None
    result = message.result
    if "task" not in result and result.get("resultType") != "task":
        return None
    if message.result.get("resultType") == "task":
        value, where = message.result, "/result"
        nested = value.get("task")
        if "taskId" not in value and isinstance(nested, dict):
            value, where = nested, "/result/task"
        return _shown(value, where, message, call)
    task = message.result.get("task")
    if not isinstance(task, dict) or not (is_augmented(call) or _stands_alone(message, call, task)):
        return None
    return _shown(task, "/result/task", message, call)


def _stands_alone(message: Message, call: Call, task: dict[str, Any]) -> bool:
    """Whether a task nobody asked for stands in place of the result, and not in it."""
    if not isinstance(task.get("taskId"), str) or call.method not in REQUESTS:
        return False
    try:
        return bool(flaws(RESULTS, call.method, LEGACY[-1], {"result": message.result}))
    except Unjudged:
        return False


def _shown(value: dict[str, Any], where: str, message: Message, call: Call | None) -> Shown:
    id_ = value.get("taskId")
    if "taskId" not in value and call is not None and call.method in FLAT:
        id_ = call.request.params.get("taskId")
    return Shown(id_ if isinstance(id_, str) else None, value, where, message, call)


def is_augmented(call: Call) -> bool:
    """Whether a request asks for a task by its `task` member (2025-11-25)."""
    return isinstance(call.request.params.get("task"), dict)


def declares_tasks(call: Call) -> bool | None:
    """Whether a request's own envelope declares the tasks extension (2026-07-28); None where it has none."""
    capabilities = call.client_capabilities
    if capabilities is None:
        return None
    extensions = capabilities.get("extensions")
    return isinstance(extensions, dict) and isinstance(extensions.get(TASKS_EXTENSION), dict)


def tag(message: Message) -> Any:
    """Gives the task id in a message's related-task metadata, whatever it is; None where there is none."""
    value = message.meta.get(RELATED)
    return value.get("taskId") if isinstance(value, dict) else None


def seconds(value: Any) -> float | None:
    """Gives the seconds since 1970 of an ISO 8601 date and time, in UTC unless it says otherwise; None for others."""
    if not isinstance(value, str) or len(value) < 11 or value[10] not in "Tt ":
        return None
    try:
        moment = datetime.fromisoformat(value.upper())
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def digest(value: Any) -> bytes:
    """Gives a fingerprint of a JSON value, the same for any order of members; empty where it is nested too deeply."""
    try:
        return sha256(json.dumps(value, sort_keys=True).encode()).digest()
    except (ValueError, RecursionError):
        return b""


def payload(answer: Message) -> bytes:
    """Gives a fingerprint of what a tasks/result answer delivers, without its `_meta`."""
    result = {name: value for name, value in answer.result.items() if name != "_meta"}
    return digest([result or answer.raw_result, answer.raw_error])
