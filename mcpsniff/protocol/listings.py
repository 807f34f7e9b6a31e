"""Whole lists that one server gave to different connections, and what was called in between (2026-07-28).

Only what is comparable shares a key: the same list, authorisation, version and client capabilities. All sessions of a
server share one store. Whether lists may differ is not known here.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from .bounded import Drops
from .calls import Call
from .lists import Walk
from .revisions import LISTS
from .servers import ServerFacts
from .taskstates import digest

CAP = 1_000  # comparable lists, per server
STORE = "comparable lists"
KEPT = 20  # readings of one

Key = tuple[str, str | None, str | None, bytes]  # list, authorisation, version, client capabilities


@dataclass(frozen=True, slots=True)
class Reading:
    """One time that a list was read whole, in one page."""

    seq: int
    conn: str  # "" on stdio
    names: bytes  # digest of the unique members
    before: bytes | None = None  # names of this connection's reading before
    tool: str | None = None  # the one tool that it called since then


class Listings:
    """The readings of one session, among those of its server."""

    def __init__(self, drops: Drops, server: ServerFacts) -> None:
        self._drops = drops
        self._readings = server.readings
        self._called: dict[str, set[str | None]] = {}  # tools since the last reading, by connection

    def so_far(self, call: Call) -> list[Reading]:
        """Gives the readings that are comparable with a list request, oldest first."""
        return list(self._readings.get(_key(call), ()))

    def preview(self, call: Call, walk: Walk) -> Reading | None:
        """Gives the reading that a whole walk of one page makes."""
        if not walk.complete or len(walk.pages) != 1:
            return None
        conn = _conn(call)
        mine = [reading for reading in self.so_far(call) if reading.conn == conn]
        tools = self._called.get(conn, set())
        names = digest(sorted(map(str, walk.names())))
        tool = next(iter(tools)) if len(tools) == 1 else None
        return Reading(walk.pages[0][0], conn, names, mine[-1].names if mine else None, tool)

    def add(self, call: Call, walk: Walk) -> None:
        """Takes in a page of a list."""
        reading = self.preview(call, walk)
        if reading is None or call.method not in LISTS:
            return
        self._readings.setdefault(_key(call), deque(maxlen=KEPT)).append(reading)
        self._called.pop(reading.conn, None)
        if len(self._readings) > CAP:
            del self._readings[next(iter(self._readings))]
            self._drops.forget(STORE, CAP)

    def called(self, call: Call) -> None:
        """Takes in a tool call that was answered."""
        tools = self._called.setdefault(_conn(call), set())
        if len(tools) < 2:  # more than one tool explains nothing
            tools.add(call.target)


def _conn(call: Call) -> str:
    return "" if call.exchange is None else call.exchange.conn


def _key(call: Call) -> Key:
    holder = None if call.exchange is None else call.exchange.header("authorization")
    return call.method, holder, call.mark.version, digest(call.client_capabilities)
