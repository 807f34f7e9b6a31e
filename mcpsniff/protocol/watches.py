"""Resource subscriptions of the handshake revisions: which URIs `resources/subscribe` watches (server/resources).

URIs are compared generously: two spellings of one resource, and what lies below a watched one, count as watched.
Judges nothing.
"""

from __future__ import annotations

from urllib.parse import unquote

from .bounded import BoundedDict, Drops
from .calls import Call
from .message import Kind, Message

CAP = 10_000  # URIs, per session
SUBSCRIBE, UNSUBSCRIBE = "resources/subscribe", "resources/unsubscribe"
WATCHING = (SUBSCRIBE, UNSUBSCRIBE)


class Watch:
    """One URI that the client has subscribed to at some time; times in seconds."""

    __slots__ = ("call", "ended_at", "failed", "uri")

    def __init__(self, uri: str, call: Call) -> None:
        self.uri = uri  # plain, see plain()
        self.call = call  # the latest resources/subscribe
        self.failed = False  # it was answered with an error
        self.ended_at: float | None = None  # resources/unsubscribe was served

    def active(self, at: float, grace: float) -> bool:
        """Whether it may still bring notifications: it was not refused, and its end is no longer ago than `grace`."""
        return not self.failed and (self.ended_at is None or at - self.ended_at <= grace)


class Watches:
    """The resource subscriptions of one session."""

    def __init__(self, drops: Drops) -> None:
        self._all: BoundedDict[str, Watch] = BoundedDict("resource subscriptions", CAP, drops)

    def of(self, uri: str) -> Watch | None:
        """Gives the subscription to just this resource, ended ones included."""
        return self._all.get(plain(uri))

    def above(self, uri: str) -> list[Watch]:
        """Gives the subscriptions to this resource and to those that it lies below, ended ones included."""
        wanted = plain(uri)
        return [watch for watch in self._all.values() if is_below(wanted, watch.uri)]

    @property
    def forgot(self) -> bool:
        """Whether the cap threw one away: absence proves nothing any more."""
        return self._all.dropped > 0

    def asked(self, call: Call) -> None:
        """Takes in a request of the client; most are about something else."""
        uri = call.request.params.get("uri")
        if call.method == SUBSCRIBE and isinstance(uri, str):
            self._all[plain(uri)] = Watch(plain(uri), call)

    def answered(self, call: Call, answer: Message) -> None:
        """Takes in the answer to a request of the client."""
        uri = call.request.params.get("uri") if call.method in (SUBSCRIBE, UNSUBSCRIBE) else None
        watch = self._all.get(plain(uri)) if isinstance(uri, str) else None
        if watch is None:
            return
        if call.method == SUBSCRIBE and watch.call is call:
            watch.failed = answer.kind is Kind.ERROR
        elif call.method == UNSUBSCRIBE and answer.kind is Kind.RESULT and call.seq > watch.call.seq:
            watch.ended_at = answer.at


def plain(uri: str) -> str:
    """Gives a URI without differences that are none: percent escapes, case of scheme and host, the slash at its end."""
    head, mark, path = unquote(uri).partition("://")
    host, slash, rest = path.partition("/")
    return (f"{head.lower()}{mark}{host.lower()}{slash}{rest}" if mark else head).rstrip("/")


def is_below(uri: str, parent: str) -> bool:
    """Whether a plain URI is the parent or below it; of a template counts what stands before its first variable."""
    stem, brace, _ = parent.partition("{")
    return uri == parent or uri.startswith(stem if brace else f"{parent}/")
