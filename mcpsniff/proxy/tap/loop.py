"""One thread that moves the bytes of all connections: what is there is read, given to the recorder, and then passed on.

So an answer is never recorded ahead of its question. It waits with one `epoll`, or what the system has in its place.
"""

import os
import threading
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector

from mcpsniff.proxy.tap.connection import Connection, Leg


class Loop:
    """Passes on what comes on connections, from when they are added; `add` and `end` may be called in any thread."""

    def __init__(self) -> None:
        self._selector = DefaultSelector()
        self._open: set[Connection] = set()
        self._new: list[Connection] = []
        self._ending = False
        self._lock = threading.Lock()  # of these two and the bell, which other threads touch
        self._bell, self._rope = os.pipe()
        self._selector.register(self._bell, EVENT_READ)
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def add(self, connection: Connection) -> None:
        """Passes on what comes on this connection from now on; after the end it is closed."""
        with self._lock:
            if self._ending:
                connection.part()
                return
            self._new.append(connection)
            os.write(self._rope, b"+")

    def end(self) -> None:
        """Closes all connections, and ends the thread."""
        with self._lock:
            self._ending = True
            os.write(self._rope, b".")
        self._thread.join()

    def _run(self) -> None:
        while not self._ending:
            for key, events in self._selector.select():
                leg: Leg | None = key.data  # what comes on this socket
                if leg is None:
                    self._welcome()
                elif leg.connection not in self._open:
                    pass  # it was closed since
                elif events & EVENT_WRITE:
                    self._pass_on(leg.other)
                elif leg.read():
                    self._pass_on(leg)
        for connection in [*self._open, *self._new]:
            connection.part()
        self._selector.close()
        for fd in (self._bell, self._rope):
            os.close(fd)

    def _welcome(self) -> None:
        """Takes the connections that were added."""
        with self._lock:
            os.read(self._bell, 1 << 12)
            new, self._new = self._new, []
        for connection in new:
            self._open.add(connection)
            for leg in connection.legs:
                self._watch(leg, EVENT_READ)

    def _pass_on(self, leg: Leg) -> None:
        leg.write()
        if leg.held or leg.ended or leg.connection.gone is not None or not leg.watched & EVENT_READ:
            self._settle(leg.connection)

    def _settle(self, connection: Connection) -> None:
        """Waits for what can come next on a connection; closes it where that is nothing."""
        over = connection.gone is not None or all(leg.over for leg in connection.legs)
        for leg in connection.legs:
            self._watch(leg, 0 if over else _awaited(leg))
        if over:
            self._open.remove(connection)
            connection.part()

    def _watch(self, leg: Leg, events: int) -> None:
        """Waits for these events where the leg comes from."""
        if events == leg.watched:
            return
        if not leg.watched:
            self._selector.register(leg.source, events, leg)
        elif events:
            self._selector.modify(leg.source, events, leg)
        else:  # a socket that is gone would be ready for ever
            self._selector.unregister(leg.source)
        leg.watched = events


def _awaited(leg: Leg) -> int:
    read = 0 if leg.held or leg.ended else EVENT_READ
    return read | (EVENT_WRITE if leg.other.held else 0)
