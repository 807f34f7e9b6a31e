"""HTTP exchanges → records of the capture: what an engine saw, in the order in which it saw it. No I/O of its own.

An engine opens an `Exchange` for each request and tells it what passes; what is not MCP leaves no record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpsniff.capture.exchange import Exchange
from mcpsniff.capture.recognise import Recogniser, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcpsniff.capture.body import Entry
    from mcpsniff.capture.writer import CaptureWriter
    from mcpsniff.wire.redact import Redactor

UNDECIDED = 256  # exchanges that are held back at most; the oldest is given up


class HttpRecorder:
    """Records the exchanges of one capture; `observe` is told of each entry that is written, where given.

    The records of a call are written when it returns; unless there is a `later`, which is given what writes them.
    """

    def __init__(
        self,
        writer: CaptureWriter,
        redactor: Redactor,
        observe: Callable[[Entry], None] | None = None,
        later: Callable[[Callable[[], None]], None] | None = None,
    ) -> None:
        self.writer = writer
        self.redactor = redactor
        self.observe = observe
        self.recogniser = Recogniser()
        self.given_up = 0  # undecided exchanges that were dropped because there were too many
        self._opened = 0
        self._undecided: dict[str, Exchange] = {}
        self._later = later
        self._entries: list[Entry] = []  # that are to be written
        self._waiting = False  # `later` has been told of them

    def exchange(self, conn: str | None, client: str | None) -> Exchange:
        """A new exchange on the client connection `conn` from the address `client`, where they are known."""
        self._opened += 1
        exchange = Exchange(self, f"x{self._opened}", conn, client)
        self._undecided[exchange.x] = exchange
        if len(self._undecided) > UNDECIDED:
            self.given_up += 1
            next(iter(self._undecided.values())).decide(Verdict.OTHER)
        return exchange

    def decided(self, exchange: Exchange, verdict: Verdict) -> None:
        """Learn from a verdict: undecided exchanges with an endpoint that is now known to be MCP are MCP."""
        self._undecided.pop(exchange.x, None)
        if verdict is not Verdict.MCP or self.recogniser.knows(exchange.url):
            return
        self.recogniser.learn(exchange.url)
        for other in list(self._undecided.values()):
            if self.recogniser.knows(other.url):
                other.decide(Verdict.MCP)

    def take(self, entry: Entry) -> None:
        """Have an entry written with the next `flush`."""
        if self.observe is not None:
            self.observe(entry)
        self._entries.append(entry)

    def flush(self) -> None:
        """Have written what was taken, in one go."""
        if self._later is None:
            self.write()
        elif self._entries and not self._waiting:
            self._waiting = True
            self._later(self.write)

    def write(self) -> None:
        """Write what was taken now."""
        self._waiting = False
        if self._entries:
            entries, self._entries = self._entries, []
            self.writer.add_entries(entries)
