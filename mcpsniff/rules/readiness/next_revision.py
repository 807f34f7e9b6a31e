"""What a handshake session does that 2026-07-28 does not do any more, or does in another way."""

from collections.abc import Iterable

from mcpsniff.protocol import readiness
from mcpsniff.protocol.message import CLIENT, SERVER
from mcpsniff.protocol.revisions import MODERN
from mcpsniff.protocol.streams import SseEvent
from mcpsniff.rules.rule import INFO, Call, Found, HttpExchange, Message, Place, Rule, Session

CHANGELOG = "https://modelcontextprotocol.io/specification/2026-07-28/changelog#major-changes"


class NextRevision(Rule):
    """Something in this session was removed, replaced or newly required by 2026-07-28.

    ## Why it matters
    Nothing is wrong today. A program that is to speak 2026-07-28 has to change here; each finding is one thing to do,
    for one side.

    ## How to fix
    Each finding says what takes the place. SDKs of the new revision do most of it.

    ## When it stays silent
    Without `--as 2026-07-28`; for a side that has shown that it speaks the new revision already, a server to any client
    in the capture; in a session of the new revision.
    """

    title = "Changed in the next revision"
    tier = 4
    severity = {"2024-11-05": INFO}
    until = "2025-11-25"
    spec = {"2024-11-05": CHANGELOG}

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._first: dict[tuple[str, str], tuple[Place, int | None]] = {}  # place and record, by side and sign
        self._count: dict[tuple[str, str], int] = {}

    def on_request(self, message: Message, call: Call) -> Found:
        return self._note(message.sender, readiness.in_message(message), message)

    def on_notification(self, message: Message, call: Call | None) -> Found:
        return self._note(message.sender, readiness.in_message(message), message)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        signs = readiness.in_message(message, call.method if call is not None else None)
        return self._note(message.sender, signs, message)

    def on_reply(self, exchange: HttpExchange) -> Found:
        yield from self._note(CLIENT, readiness.in_request_head(exchange), exchange)
        if exchange.reply_header("mcp-session-id") is not None:
            yield from self._note(SERVER, [readiness.GIVEN_SESSION], exchange, exchange.reply_seq)

    def on_event(self, event: SseEvent) -> Found:
        return self._note(SERVER, [readiness.EVENT_IDS] if event.id is not None else [], event)

    def _note(self, side: str, signs: Iterable[str], place: Place, seq: int | None = None) -> Found:
        for sign in signs:
            if (side, sign) in readiness.CHANGES:
                self._first.setdefault((side, sign), (place, seq))
                self._count[side, sign] = self._count.get((side, sign), 0) + 1
        yield from ()

    def on_end(self) -> Found:
        ready = self._ready()
        for (side, sign), (place, seq) in self._first.items():
            change = readiness.CHANGES[side, sign]
            often = f", {times} times" if (times := self._count[side, sign]) > 1 else ""
            text = f"{sign}{often}: {change.kind} in {MODERN}; {change.instead}"
            if side not in ready:
                yield self.found(place, text, seq=seq, violator=side, fault=sign, evidence={"change": change.kind})

    def _ready(self) -> set[str]:
        """Gives the sides that have shown that they speak the new revision: a server to any client of it."""
        ready = {CLIENT} if self.session.era.client == "dual" else set()
        return ready | {SERVER} if self.session.server.proved is not None else ready
