"""`subscriptions/listen` streams of a modern session (2026-07-28, basic/patterns/subscriptions).

A subscription is named by the id of its listen request, JSON type included. Keeps what was asked for, what was
acknowledged and whether it ended; judges nothing.
"""

from __future__ import annotations

from typing import Any

from .bounded import BoundedDict, Drops
from .calls import Call
from .exchange import HttpExchange
from .heads import member_text
from .ids import JsonId, Key
from .message import Message
from .revisions import META_SUBSCRIPTION

CAP = 1_000  # subscriptions, per session

FLAGS = {  # notification → member of the listen request's filter
    "notifications/tools/list_changed": "toolsListChanged",
    "notifications/prompts/list_changed": "promptsListChanged",
    "notifications/resources/list_changed": "resourcesListChanged",
    "notifications/resources/updated": "resourceSubscriptions",
    "notifications/tasks": "taskIds",
}
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"


class Subscription:
    """One listen request and its stream."""

    __slots__ = ("acked_at", "acked_seq", "call", "ended_at", "ended_by", "ended_seq", "granted", "tagged", "wanted")

    def __init__(self, call: Call) -> None:
        wanted = call.request.params.get("notifications")
        self.call = call
        self.wanted: dict[str, Any] = wanted if isinstance(wanted, dict) else {}
        self.granted: dict[str, Any] | None = None  # filter of the acknowledgment
        self.acked_seq: int | None = None
        self.acked_at: float | None = None
        self.tagged = 0  # messages tagged with its id, or on its stream
        self.ended_seq: int | None = None
        self.ended_at = 0.0  # seconds
        self.ended_by = ""  # CLIENT or SERVER; empty where neither did

    def asks_for(self, method: str) -> bool:
        """Whether the filter names this kind of notification; false and an empty list are as good as absent."""
        return bool(self.wanted.get(FLAGS.get(method, "")))


class Subscriptions:
    """The subscriptions of one session, by the id of the listen request."""

    def __init__(self, drops: Drops) -> None:
        self._all: BoundedDict[Key, Subscription] = BoundedDict("subscriptions", CAP, drops)

    def of(self, message: Message) -> Subscription | None:
        """Gives the subscription that a notification is for: that of its stream, else the one it is tagged with.

        A tag of the wrong JSON type counts for the id it spells; an acknowledgment without a tag for the subscription
        that has waited longest.
        """
        listen = listen_of(message.exchange)
        if listen is not None:
            return self._all.get(listen.id.key)
        tag = tag_of(message)
        if tag is not None:
            return self._all.get(tag.key) or next((s for s in self.open() if s.call.id.as_text == tag.as_text), None)
        waiting = (sub for sub in self.open() if sub.acked_seq is None)
        return next(waiting, None) if message.method == ACKNOWLEDGED and message.exchange is None else None

    def by_id(self, id_: JsonId) -> Subscription | None:
        return self._all.get(id_.key)

    def open(self) -> list[Subscription]:
        """Gives the subscriptions that have not ended, oldest first."""
        return [sub for sub in self._all.values() if sub.ended_seq is None]

    def add(self, call: Call) -> None:
        self._all[call.id.key] = Subscription(call)

    def note(self, message: Message) -> None:
        """Takes in a server notification."""
        sub = self.of(message)
        if sub is None:
            return
        sub.tagged += 1
        if message.method == ACKNOWLEDGED and sub.acked_seq is None:
            granted = message.params.get("notifications")
            sub.acked_seq, sub.acked_at = message.seq, message.at
            sub.granted = granted if isinstance(granted, dict) else {}

    def end(self, id_: JsonId, seq: int, at: float, by: str) -> None:
        """Takes in the end of a subscription: its result, an error, a cancellation or the end of its stream."""
        sub = self._all.get(id_.key)
        if sub is not None and sub.ended_seq is None:
            sub.ended_seq, sub.ended_at, sub.ended_by = seq, at, by


def listen_of(exchange: HttpExchange | None) -> Call | None:
    """Gives the listen request that an exchange carried."""
    calls = exchange.calls.values() if exchange is not None else ()
    return next((call for call in calls if call.method == "subscriptions/listen"), None)


def tag_of(message: Message) -> JsonId | None:
    """Gives the subscription id that a notification carries, spelled exactly."""
    return message.token("_meta", META_SUBSCRIPTION)


def result_tag_of(answer: Message) -> JsonId | None:
    """Gives the subscription id that the result of a listen request carries, spelled exactly."""
    raw = member_text(bytes(answer.head.result or b""), ("_meta", META_SUBSCRIPTION))
    return None if raw is None else JsonId(raw.decode("utf-8", "replace"))
