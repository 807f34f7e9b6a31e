"""What the server has to remember between requests, as a timeline.

Grows with a handshake, a log level, subscriptions, requests of its own and tasks; in the modern era only listen
streams are held.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mcpsniff.protocol.calls import Call
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.message import SERVER, Kind, Message
from mcpsniff.protocol.session import Session
from mcpsniff.protocol.subscriptions import ACKNOWLEDGED

HELD_CAP = 100  # things held at once
TIMELINE_CAP = 200  # changes
SHOWN = 80  # characters of a captured value
MEMORABLE = frozenset((ACKNOWLEDGED, "notifications/cancelled"))  # the notifications that concern it


class ServerMemory:
    """What one session makes its server hold."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._held: dict[str, str] = {}
        self._timeline: list[dict[str, Any]] = []

    def request(self, message: Message, call: Call) -> None:
        """Takes in one request of the server."""
        before = tuple(self._held.values())
        self._hold(_request(call), f"open request {call.id.text[:SHOWN]} ({call.method[:SHOWN]})")
        self._note(message.seq, before)

    def answer(self, message: Message, call: Call) -> None:
        """Takes in what the server answers; most answers make it neither remember nor forget."""
        method = call.method
        if method not in _RESULTS or (method == "tools/call" and "task" not in message.texts):
            return
        before = tuple(self._held.values())
        self._drop(_stream(call))
        if message.kind is Kind.RESULT:
            _RESULTS[method](self, message, call)
        self._note(message.seq, before)

    def answered(self, message: Message, call: Call) -> None:
        """Takes in what the client answers."""
        before = tuple(self._held.values())
        self._drop(_request(call))
        self._note(message.seq, before)

    def notified(self, message: Message, call: Call | None) -> None:
        """Takes in one notification: it may open a stream or end one, or take a request back."""
        before = tuple(self._held.values())
        if message.method == ACKNOWLEDGED:
            subscription = self._session.subscriptions.of(message)
            if subscription is not None:
                self._hold(_stream(subscription.call), f"listen stream {subscription.call.id.text[:SHOWN]}")
        elif message.method == "notifications/cancelled" and call is not None:
            self._drop(_request(call) if call.requester == SERVER else _stream(call))
        self._note(message.seq, before)

    def exchange(self, exchange: HttpExchange) -> None:
        """Takes in the end of an exchange: a listen stream ends with it, a session with its DELETE."""
        before = tuple(self._held.values())
        for call in exchange.calls.values():
            self._drop(_stream(call))
        if exchange.method == "DELETE" and exchange.status is not None and exchange.status < 300:
            self._held.clear()
        self._note(exchange.closed_seq or exchange.seq, before)

    def result(self) -> list[dict[str, Any]]:
        """Gives `server_memory`; a process takes all with it when it ends."""
        process = self._session.process
        if process is not None and process.exit_seq is not None:
            before = tuple(self._held.values())
            self._held.clear()
            self._note(process.exit_seq, before)
        return self._timeline

    def _hold(self, key: str, text: str) -> None:
        if key in self._held or len(self._held) < HELD_CAP:
            self._held[key] = text
        else:
            self._session.dropped.forget("things in the server's memory", HELD_CAP)

    def _drop(self, key: str) -> None:
        self._held.pop(key, None)

    def _note(self, seq: int, before: tuple[str, ...]) -> None:
        holds = tuple(self._held.values())
        if holds == before:
            return
        if len(self._timeline) < TIMELINE_CAP:
            self._timeline.append({"seq": seq, "holds": list(holds)})
        else:
            self._session.dropped.forget("changes of the server's memory", TIMELINE_CAP)

    # what a result makes the server remember or forget

    def _initialized(self, message: Message, call: Call) -> None:
        self._hold("version", f"negotiated version {self._session.era.negotiated or '?'}"[:SHOWN])
        self._hold("capabilities", "client capabilities")
        if self._session.session_id is not None:
            self._hold("session", "session id")

    def _level_set(self, message: Message, call: Call) -> None:
        self._hold("level", f"log level {call.request.params.get('level')}"[:SHOWN])

    def _subscribed(self, message: Message, call: Call) -> None:
        uri = str(call.request.params.get("uri"))[:SHOWN]
        self._hold(f"subscription {uri}", f"subscription to {uri}")

    def _unsubscribed(self, message: Message, call: Call) -> None:
        self._drop(f"subscription {str(call.request.params.get('uri'))[:SHOWN]}")

    def _task_made(self, message: Message, call: Call) -> None:
        task = message.result.get("task")
        if isinstance(task, dict):
            name = str(task.get("taskId"))[:SHOWN]
            self._hold(f"task {name}", f"task {name}")

    def _task_over(self, message: Message, call: Call) -> None:
        self._drop(f"task {str(call.request.params.get('taskId'))[:SHOWN]}")


def _request(call: Call) -> str:
    return f"request {call.id.key!r}"


def _stream(call: Call) -> str:
    return f"stream {call.id.key!r}"


def _nothing(memory: ServerMemory, message: Message, call: Call) -> None:
    """The result of a listen stream leaves no trace: it ends the stream."""


_RESULTS: dict[str, Callable[[ServerMemory, Message, Call], None]] = {
    "initialize": ServerMemory._initialized,
    "logging/setLevel": ServerMemory._level_set,
    "resources/subscribe": ServerMemory._subscribed,
    "resources/unsubscribe": ServerMemory._unsubscribed,
    "subscriptions/listen": _nothing,
    "tools/call": ServerMemory._task_made,
    "tasks/result": ServerMemory._task_over,
    "tasks/cancel": ServerMemory._task_over,
}
