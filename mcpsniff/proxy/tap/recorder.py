"""The tap's recorder, a process of its own: frames → connections → exchanges → records of the capture.

It holds no socket of the traffic, and ends when the proxy's end of the pipe is closed. What cannot be written is told
once; the frames are taken all the same. An `end` record says that the proxy ended in order.
"""

import os
import time
from collections.abc import Callable, Iterable, Sequence

from mcpsniff import __version__
from mcpsniff.capture.body import Entry
from mcpsniff.capture.http import HttpRecorder
from mcpsniff.capture.http1 import Http1Connection
from mcpsniff.proxy import Wishes, heading, live
from mcpsniff.proxy.tap.feed import (
    CLIENT,
    CLIENT_EOF,
    CLIENT_RESET,
    END,
    GAP,
    OPENED,
    SERVER,
    SERVER_EOF,
    SERVER_RESET,
    UNREACHED,
    parts,
)
from mcpsniff.proxy.ways import Way
from mcpsniff.relay.intake import Frame
from mcpsniff.relay.reporter import Reporter
from mcpsniff.wire.redact import Redactor

_LAST = (SERVER_EOF, CLIENT_RESET, SERVER_RESET, UNREACHED)  # nothing comes of a connection after it
_LOST = "the recorder could not keep up"


class TapRecorder:
    """Writes the capture of one run of the tap.

    `start` is time zero (monotonic ns), `proxy` the pid of the proxy, `report` where trouble is told.
    """

    def __init__(self, ways: Sequence[Way], wishes: Wishes, start: int, proxy: int, report: int) -> None:
        self._ways = ways
        self._wishes = wishes
        self._reporter = Reporter(report)
        self._recorder = self._begin(start, proxy)
        self._connections: dict[int, Http1Connection] = {}
        self._opened: dict[int, tuple[str, str]] = {}  # address of the client and of the server of each
        self._lost = 0  # connections that could not be followed to their end
        self._on: dict[int, Callable[[Http1Connection, float, bytes], None]] = {
            CLIENT: Http1Connection.from_client,
            SERVER: Http1Connection.from_server,
            CLIENT_EOF: lambda connection, t, _: connection.client_ended(t),
            SERVER_EOF: lambda connection, t, _: connection.server_ended(t),
            CLIENT_RESET: lambda connection, t, _: connection.reset(t, "client"),
            SERVER_RESET: lambda connection, t, _: connection.reset(t, "server"),
            UNREACHED: lambda connection, t, why: connection.unreached(t, why.decode()),
        }

    def record(self, frames: Iterable[Frame]) -> None:
        """Records all frames, whatever becomes of the capture."""
        t = 0.0
        for kind, t, payload in frames:
            try:
                self._take(*parts(kind), t, payload)
            except Exception as error:
                self._recorder = None
                self._reporter.trouble(f"the recorder failed ({error!r}); the traffic goes on unrecorded")
        if self._recorder is not None:  # the proxy was killed
            self._stop(self._recorder, t)
            self._recorder.writer.close()

    def _take(self, number: int, what: int, t: float, payload: bytes) -> None:
        if self._recorder is None:
            return
        if what == OPENED:
            way, _, client = payload.decode().partition(" ")
            self._opened[number] = client, self._ways[int(way)].upstream
            self._follow(self._recorder, number)
        elif what == GAP:
            self._recorder.writer.lose(t, 1, int(payload), "queue-full")
            self._connections[number].stop(t, _LOST)
            self._follow(self._recorder, number)
        elif what == END:
            self._end(self._recorder, t)
            return
        elif number in self._connections:
            self._on[what](self._connections[number], t, payload)
            if what in _LAST:
                self._forget(number)
        self._recorder.write()
        self._reporter.check(self._recorder.writer)

    def _follow(self, recorder: HttpRecorder, number: int) -> None:
        self._connections[number] = Http1Connection(recorder, f"c{number}", *self._opened[number])

    def _forget(self, number: int) -> None:
        del self._opened[number]
        lost = self._connections.pop(number).lost
        if lost is not None:
            self._lost += 1
            if self._lost == 1:
                self._reporter.line(f"mcpsniff: a connection passes that cannot be recorded: {lost}")

    def _stop(self, recorder: HttpRecorder, t: float) -> None:
        for connection in self._connections.values():
            connection.stop(t)
        recorder.write()

    def _end(self, recorder: HttpRecorder, t: float) -> None:
        self._stop(recorder, t)
        if self._lost > 1:
            self._reporter.line(f"mcpsniff: {self._lost} connections could not be recorded to their ends")
        if recorder.given_up:
            text = f"{recorder.given_up} exchanges were given up before they could be recognised"
            self._reporter.line(f"mcpsniff: {text}")
        recorder.writer.end(t)
        self._recorder = None

    def _begin(self, start: int, proxy: int) -> HttpRecorder | None:
        redactor = Redactor(os.urandom(16), self._wishes.redact, self._wishes.pointers)
        modes = [way.mode for way in self._ways]
        engine = heading.Engine("tap", __version__, modes, self._wishes.rewrite_host)
        started = time.time() - (time.monotonic_ns() - start) / 1e9
        path = heading.places(self._wishes.write, modes, proxy, started)
        header = heading.header(engine, redactor.names, started, proxy)
        writer = self._reporter.open(path, header, self._wishes.keeping, pid=proxy)
        observe = self._show if self._wishes.live else None
        return HttpRecorder(writer, redactor, observe, _with_the_frame) if writer else None

    def _show(self, entry: Entry) -> None:
        line = live.line(entry)
        if line is not None:
            self._reporter.line(line)


def _with_the_frame(write: Callable[[], None]) -> None:
    """Lets the records of a frame wait for each other: they are written when all of it is read."""
