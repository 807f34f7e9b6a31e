"""Lists that changed in silence."""

from __future__ import annotations

from typing import ClassVar

from mcpsniff.protocol.lists import Walk
from mcpsniff.protocol.revisions import LEGACY, declares
from mcpsniff.protocol.subscriptions import FLAGS
from mcpsniff.rules.echoes import CANCELLATIONS, LISTINGS
from mcpsniff.rules.rule import (
    CONTEXTUAL,
    INFO,
    SERVER,
    WARNING,
    Call,
    Found,
    HttpExchange,
    Message,
    Rule,
    Session,
    quote,
)
from mcpsniff.rules.when import by_server, is_method, result, when

KINDS = {"tools/list": "tools", "prompts/list": "prompts", "resources/list": "resources"}
CHANGED = {f"notifications/{kind}/list_changed": method for method, kind in KINDS.items()}
CROSSING = 1.0  # seconds in which notification and list may have crossed on two streams (trap T6)


class _Change:
    """Two complete walks of one list that differ."""

    __slots__ = ("after", "before", "lone")

    def __init__(self, before: Walk, after: Walk, lone: bool) -> None:
        self.before = before
        self.after = after
        self.lone = lone  # no stream was open that could have carried a notification


class ListChangedNotSent(Rule):
    """A list differs from what it was before, and the server, which declares `listChanged`, sent no notification.

    ## Why it matters
    Clients that rely on the notification keep the old list: new tools do not exist for them, removed ones fail.

    ## How to fix
    Send `notifications/…/list_changed` whenever the list changes, or do not declare `listChanged`.

    ## When it stays silent
    Where `listChanged` is not declared, for lists that were not read to their end, lists of two authorisations, and
    where the notification crossed the list, or may have when the capture was cut. Over HTTP without an open stream to
    carry it, it is information. In 2026-07-28 a subscription to this kind must have been acknowledged before both lists
    and be open still.
    """

    title = "A list changed without a notification to the subscribed client"
    tier = 2
    severity: ClassVar[dict[str, str]] = {"2024-11-05": WARNING}
    violator = SERVER
    confidence = CONTEXTUAL
    until: ClassVar[str] = LEGACY[-1]
    spec = {"2024-11-05": "server/tools#list-changed-notification"}
    by_time = True
    echoes: ClassVar[tuple[str, ...]] = LISTINGS

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._changes: dict[str, _Change] = {}  # by list: the first one
        self._streams: dict[str, int] = {}  # exchanges of open GET streams → record of the response

    def on_reply(self, exchange: HttpExchange) -> Found:
        if exchange.method == "GET" and exchange.is_stream and exchange.reply_seq is not None:
            self._streams[exchange.x] = exchange.reply_seq
        yield from ()

    def on_close(self, exchange: HttpExchange) -> Found:
        self._streams.pop(exchange.x, None)
        yield from ()

    @when(result, by_server, is_method(*KINDS))
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or call.method not in KINDS or message.sender != SERVER or message.has_error:
            return
        before = self.session.lists.last_complete(call.method)
        if before is None or "nextCursor" in message.result or call.method in self._changes:
            return
        after = self.session.lists.preview(call, message)
        if not after.complete or not _comparable(before, after) or _items(before) == _items(after):
            return
        if self.session.holes:
            yield self.unchecked("part of the traffic was not recorded")
        elif self.is_due(call.method, before):
            self._changes[call.method] = _Change(before, after, self._is_lone(message, before))

    @when(is_method(*CHANGED))
    def on_notification(self, message: Message, call: Call | None) -> Found:
        method = CHANGED.get(message.method or "", "")
        change = self._changes.get(method)
        if change is not None and message.exchange is not None and message.at - change.after.pages[-1][1] <= CROSSING:
            del self._changes[method]
        yield from ()

    def on_end(self) -> Found:
        for method, change in self._changes.items():
            page, old = change.after.pages[-1][2], change.before.pages[-1][0]
            if page.exchange is not None and self.session.cut and self.session.end_at - page.at <= CROSSING:
                continue
            text = f"{method} differs from record {old}{_difference(change)}, and no notification said so"
            severity = INFO if change.lone else None
            yield self.found(page, text, related=[old], fault=method, severity=severity)

    def is_due(self, method: str, before: Walk) -> bool:
        """Whether the server had to notify this client of a change since `before`."""
        return declares(self.session.server_capabilities, (KINDS[method], "listChanged"))

    def _is_lone(self, message: Message, before: Walk) -> bool:
        since = before.pages[-1][0]
        return message.exchange is not None and not any(seq < since for seq in self._streams.values())


class ListChangedNotSentModern(ListChangedNotSent):
    """The same where a subscription asks for the notification."""

    id = "list-changed-not-sent"
    since, until = "2026-07-28", "2026-07-28"
    severity = {"2026-07-28": WARNING}
    echoes = (*CANCELLATIONS, *LISTINGS)

    def is_due(self, method: str, before: Walk) -> bool:
        flag = FLAGS[f"notifications/{KINDS[method]}/list_changed"]
        declared = declares(self.session.discovered_capabilities, (KINDS[method], "listChanged"))
        first = before.pages[0][0]
        return declared and any(
            sub.acked_seq is not None and sub.acked_seq < first and sub.granted is not None and sub.granted.get(flag)
            for sub in self.session.subscriptions.open()
        )

    def _is_lone(self, message: Message, before: Walk) -> bool:
        return False


def _comparable(before: Walk, after: Walk) -> bool:
    """Whether nothing explains a difference: a notification between the two, or another authorisation."""
    holders = {
        page.exchange.header("authorization") for *_, page in (*before.pages, *after.pages) if page.exchange is not None
    }
    return not before.stale and not after.stale and len(holders) < 2


def _items(walk: Walk) -> dict[str, object]:
    return {str(name): item for name, item, *_ in walk.items}


def _difference(change: _Change) -> str:
    old, new = _items(change.before), _items(change.after)
    parts = {"added": new.keys() - old.keys(), "removed": old.keys() - new.keys()}
    named = [f"{what}: {quote(', '.join(sorted(names)[:3]), 60)}" for what, names in parts.items() if names]
    return f" ({'; '.join(named) or 'a definition changed'})"
