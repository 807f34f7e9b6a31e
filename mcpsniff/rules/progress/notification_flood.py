"""Notifications at a rate that nobody can read."""

from typing import ClassVar

from mcpsniff.protocol.bounded import BoundedDict
from mcpsniff.protocol.revisions import LEGACY
from mcpsniff.rules.rule import HEURISTIC, WARNING, Call, Found, Message, Rule, Session

STREAMS = 1_000  # tokens and loggers watched at once
Stream = tuple[str, str, str]  # sender, method, token or logger


class _Rate:
    """What one stream has sent in this second, in the one before and in this minute."""

    __slots__ = ("before", "bytes", "count", "minute", "second")

    def __init__(self) -> None:
        self.second = self.minute = -1
        self.count = self.before = 0
        self.bytes = 0

    def add(self, at: float, size: int) -> None:
        second, minute = int(at), int(at / 60)
        if second != self.second:
            self.before = self.count if second == self.second + 1 else 0
            self.second, self.count = second, 0
        if minute != self.minute:
            self.minute, self.bytes = minute, 0
        self.count += 1
        self.bytes += size


class NotificationFlood(Rule):
    """Progress or log notifications come at a high rate for two seconds on end, or in great volume.

    ## Why it matters
    Each one is parsed, and often shown: the client becomes slow, and models read what nobody needs.

    ## How to fix
    Send progress when it changes visibly, a few times a second; collect log messages or raise the level.

    ## When it stays silent
    Bursts shorter than two seconds, and events that are delivered again on a resumed stream. The text asks for rate
    limiting without a number; 50 a second, or a megabyte a minute, are taken for the handshake revisions, and 100 a
    second for 2026-07-28, for one token or one logger.
    """

    title = "Notifications arrive at a flooding rate"
    tier = 3
    severity = {"2024-11-05": WARNING}
    confidence = HEURISTIC
    until = LEGACY[-1]
    spec = {
        "2024-11-05": "basic/utilities/progress#implementation-notes",
        "2026-07-28": "basic/patterns/progress#implementation-notes",
    }
    methods = ("notifications/progress", "notifications/message")
    per_second: ClassVar[int] = 50
    per_minute: ClassVar[int | None] = 1_000_000  # bytes
    by_time = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._rates: BoundedDict[Stream, _Rate] = BoundedDict("notification rates", STREAMS, session.dropped)

    def on_notification(self, message: Message, call: Call | None) -> Found:
        token = message.token("progressToken")
        name = token.text if token is not None else str(message.params.get("logger"))
        rate = self._rates.setdefault((message.sender, message.method or "", name[:100]), _Rate())
        rate.add(message.at, message.size)
        wrong = self._excess(rate)
        if wrong is not None:
            related = [call.seq if call is not None else None]
            yield self.found(message, f"{message.method}: {wrong}", related=related, fault=message.method or "")

    def _excess(self, rate: _Rate) -> str | None:
        if min(rate.count, rate.before) > self.per_second:
            return f"more than {self.per_second} a second, in two seconds on end"
        if self.per_minute is not None and rate.bytes > self.per_minute:
            return f"{rate.bytes} bytes within a minute"
        return None


class NotificationFloodModern(NotificationFlood):
    """The same with the limits for 2026-07-28."""

    id = "notification-flood"
    since, until = "2026-07-28", "2026-07-28"
    severity = {"2026-07-28": WARNING}
    per_second = 100
    per_minute = None
