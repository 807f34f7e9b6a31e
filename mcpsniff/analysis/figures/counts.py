"""How many messages and bytes each side sent.

Elements of a batch count singly where the revision knows batches, else the array is no message. What was put together
from torn or doubled lines is none either.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from mcpsniff.protocol.message import CLIENT, SERVER, Kind, Message
from mcpsniff.protocol.revisions import BATCHES
from mcpsniff.protocol.session import Session

_MEMBER = {
    Kind.REQUEST: "requests",
    Kind.RESULT: "responses",
    Kind.ERROR: "responses",
    Kind.NOTIFICATION: "notifications",
}


class Counts:
    """Messages by side and kind, and the bytes of both sides."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._alone = Counter[tuple[str, Kind]]()  # by side
        self._batched = Counter[tuple[str, Kind]]()
        self._bytes = {CLIENT: 0, SERVER: 0}
        self._texts = 0

    def sent(self, sender: str, size: int) -> None:
        """Counts bytes where messages belong."""
        self._bytes[sender] += size

    def text(self) -> None:
        """Counts a line, body or event that is not one JSON value."""
        self._texts += 1

    def message(self, message: Message) -> None:
        """Counts one message; its bytes come with `sent`."""
        if not message.recovered:
            (self._batched if message.batch else self._alone)[(message.sender, message.kind)] += 1

    def result(self) -> dict[str, Any]:
        """Gives `messages`."""
        batches = self._session.era.legacy_revision in BATCHES
        count = self._alone + self._batched if batches else self._alone
        process = self._session.process
        return {
            **{side: self._side(side, count) for side in (CLIENT, SERVER)},
            "text": self._texts,
            "stderr": process.stderr_lines if process is not None else 0,
            "total": sum(n for (_, kind), n in count.items() if kind in _MEMBER),
        }

    def _side(self, side: str, count: Counter[tuple[str, Kind]]) -> dict[str, int]:
        kinds = dict.fromkeys(_MEMBER.values(), 0)
        for kind, member in _MEMBER.items():
            kinds[member] += count[(side, kind)]
        return {**kinds, "bytes": self._bytes[side]}
