"""The tap: a TCP relay that passes every byte on as it came, and a forked recorder that gets a copy of each.

Nothing is parsed or changed on the way (but the Host, where that is asked for), so whatever HTTP/1 can do works.
"""

import itertools
import os
import resource
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from mcpsniff.errors import McpsniffError
from mcpsniff.proxy import Wishes, guide
from mcpsniff.proxy.tap.connection import Connection
from mcpsniff.proxy.tap.feed import CLIENT, END, Feed
from mcpsniff.proxy.tap.loop import Loop
from mcpsniff.proxy.ways import Way
from mcpsniff.relay.fork import Make, fork_recorder
from mcpsniff.relay.reports import say

if TYPE_CHECKING:
    from mcpsniff.proxy.tap.recorder import TapRecorder

ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PATIENCE = 60.0  # seconds that the recorder may take to write what it has been given
_BACKLOG = 1024  # connections that may wait to be accepted
_PAUSE = 0.05  # seconds, where descriptors or threads have run out


def serve(ways: Sequence[Way], wishes: Wishes) -> str | None:
    """Runs until a signal ends it, and gives the path of the capture, or None where it could not be opened."""
    listeners = [_listen(way) for way in ways]
    _allow_many()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ENDINGS)  # in the recorder and all threads too
    try:
        return _run(ways, wishes, listeners)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _run(ways: Sequence[Way], wishes: Wishes, listeners: Sequence[socket.socket]) -> str | None:
    sys.stderr.flush()
    feed, reports = fork_recorder(_recorder_for(ways, wishes), Feed, verbose=True, at_once=True)
    path = reports.opened()
    if path is None:
        return None
    relay = Relay(ways, wishes, feed)
    relay.start()
    for way, listener in enumerate(listeners):
        threading.Thread(target=relay.accept, args=(way, listener), daemon=True).start()
    places = [(way.mode, *listener.getsockname()[:2]) for way, listener in zip(ways, listeners, strict=True)]
    for line in guide.lines(places, "", {way.upstream: way.path for way in ways}):
        print(line, file=sys.stderr)
    signal.sigwait(ENDINGS)
    reports.closing = True
    feed.tell(END)
    feed.close(_PATIENCE)
    for listener in listeners:
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)  # wakes the thread that accepts
        listener.close()
    relay.end()
    if not reports.ended(_PATIENCE):
        say("the recorder is slow; the capture is not complete yet")
    return path


def _recorder_for(ways: Sequence[Way], wishes: Wishes) -> Make:
    def make(start: int, proxy: int, report: int) -> "TapRecorder":
        from mcpsniff.proxy.tap.recorder import TapRecorder

        return TapRecorder(ways, wishes, start, proxy, report)

    return make


def _listen(way: Way) -> socket.socket:
    family = socket.AF_INET6 if ":" in way.host else socket.AF_INET
    try:
        return socket.create_server((way.host, way.port), family=family, backlog=_BACKLOG)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
        raise McpsniffError(f"cannot listen on {way.host}:{way.port}: {reason}.") from None


def _allow_many() -> None:
    """Takes as many descriptors as the system grants; each connection needs two."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    with suppress(OSError, ValueError):  # some systems grant less than they say
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class Relay:
    """The connections that pass through the tap."""

    def __init__(self, ways: Sequence[Way], wishes: Wishes, feed: Feed) -> None:
        self._ways = ways
        self._rewrite_host = wishes.rewrite_host
        self._feed = feed
        self._numbers = itertools.count(1)
        self._loop = Loop()
        self._down: set[int] = set()  # servers that could not be reached the last time

    def start(self) -> None:
        """Passes on from now on what comes on connections."""
        self._loop.start()

    def accept(self, way: int, listener: socket.socket) -> None:
        """Takes connections for one server, until the listener is closed."""
        while True:
            try:
                client, address = listener.accept()
            except ConnectionAbortedError:
                continue
            except OSError:
                if listener.fileno() < 0:
                    return
                time.sleep(_PAUSE)
                continue
            connection = Connection(next(self._numbers), client, self._feed)
            try:
                threading.Thread(target=self._serve, args=(connection, way, address[0]), daemon=True).start()
            except RuntimeError:  # no more threads
                connection.part()
                time.sleep(_PAUSE)

    def end(self) -> None:
        """Ends all connections."""
        self._loop.end()

    def _serve(self, connection: Connection, way: int, address: str) -> None:
        trouble = connection.open(way, address, self._ways[way].server)
        if trouble is not None:
            if way not in self._down:
                self._down.add(way)
                say(f"{self._ways[way].upstream} cannot be reached: {trouble}")
            return
        self._down.discard(way)
        connection.legs[CLIENT].rewrite = self._rewriter(way)
        self._loop.add(connection)

    def _rewriter(self, way: int) -> Callable[[bytes], bytes] | None:
        if not self._rewrite_host:
            return None
        from mcpsniff.proxy.tap.host import HostRewriter

        return HostRewriter(self._ways[way].authority).feed
