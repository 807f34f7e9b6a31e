"""The capture that flows are recorded to in mitmproxy's loop: its file, its clock, and when what is written.

Nothing waits for a record. What passes is recorded once it has been passed on, and written within a hundredth of a
second: a process that is killed takes the last ones with it.
"""

import asyncio
import logging
import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from mitmproxy import ctx, http
from mitmproxy.version import VERSION

from mcpsniff.capture.body import Entry
from mcpsniff.capture.exchange import Exchange
from mcpsniff.capture.http import HttpRecorder
from mcpsniff.capture.recognise import Verdict
from mcpsniff.capture.writer import CaptureWriter
from mcpsniff.proxy import heading
from mcpsniff.proxy.afterwards import Afterwards
from mcpsniff.proxy.flows import Connection, Live, has_events
from mcpsniff.proxy.options import Options
from mcpsniff.proxy.streamed import Streamed, Tap
from mcpsniff.relay import Keeping
from mcpsniff.wire.redact import Redactor

log = logging.getLogger(__name__)

_SOON = 0.01  # seconds until records are written: several together cost half of what each alone does


class Recording:
    """One capture, from its header to its end; `observe` is told of each entry."""

    def __init__(self, observe: Callable[[Entry], None]) -> None:
        self.path: str | None = None  # of the first file, once it is open
        self.capture = ""  # its id
        self.began = 0.0  # seconds since the epoch
        self._start = 0.0  # the same by the monotonic clock
        self._observe = observe
        self._recorder: HttpRecorder | None = None  # while the capture is open
        self._afterwards = Afterwards()
        self._told = False  # what is wrong with the capture

    @property
    def is_open(self) -> bool:
        """Whether exchanges are recorded."""
        return self._recorder is not None

    def begin(self, settings: Options, keeping: Keeping) -> None:
        """Opens the capture; why it cannot is logged as an error, which ends mitmproxy's start."""
        pid, modes = os.getpid(), ctx.options.mode
        redactor = Redactor(os.urandom(16), settings.mcp_redact == "true", settings.mcp_redact_pointers)
        self._start, self.began = time.monotonic(), time.time()
        path = heading.places(settings.mcp_capture, modes, pid, self.began)
        engine = heading.Engine("mitmproxy", VERSION, modes, not ctx.options.keep_host_header)
        header = heading.header(engine, redactor.names, self.began, pid)
        try:
            writer = CaptureWriter(path, header, snaplen=keeping.snaplen, storage=keeping, pid=pid)
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            reason = error.strerror if isinstance(error, OSError) else error
            log.error(f"cannot capture to {path(0.0)}: {reason}; choose another file.")
            return
        self.path, self.capture = writer.path, str(header["id"])
        self._recorder = HttpRecorder(writer, redactor, self._observe, self._later)

    def end(self, t: float) -> None:
        """Ends the capture, at the moment at which the exchanges in it ended."""
        recorder = self._recorder
        if recorder is None:
            return
        if recorder.given_up:
            log.warning(f"mcpsniff: {recorder.given_up} exchanges were given up before they could be recognised")
        self._write(recorder.write)
        recorder.writer.end(t)
        self._recorder = None

    # Time

    def now(self) -> float:
        """Seconds since the capture began."""
        return time.monotonic() - self._start

    def turn(self, conn: Connection) -> float:
        """The same when something passes on a connection, and all that came before is recorded."""
        t = self._active(conn)
        self._afterwards.do()
        return t

    def seen(self, live: Live, what: str) -> float:
        """The same when something of an exchange passes, which is noted."""
        t = self.turn(live.conn)
        if live.seen:
            live.seen[what] = t
        return t

    def settle(self) -> float:
        """The same when nothing passes, and all that came before is recorded."""
        t = self.now()
        self._afterwards.do()
        return t

    # What is recorded

    def exchange(self, conn: Connection, client: str) -> Exchange | None:
        """A new exchange, asked for by the client at this address; None where nothing is recorded."""
        return None if self._recorder is None else self._recorder.exchange(conn.name, client)

    def tap(self, live: Live, before: bool | Tap, piece: Callable[[float, bytes], Any]) -> Streamed:
        """What hears a body that comes piece by piece."""
        return Streamed(before, partial(self._active, live.conn), self._afterwards, piece)

    def body(self, live: Live, t: float, response: http.Response, complete: bool) -> None:
        """Records a body that was not streamed, and that one went by which another addon has taken over."""
        if live.streamed is None or not response.stream:
            live.exchange.piece(t, response.raw_content or b"")
        elif live.streamed.missed(response, complete) and not live.exchange.over:
            live.exchange.lose(t, "stream-replaced")
            log.warning("mcpsniff: another addon has replaced the stream of a response: its body is not recorded")

    def _active(self, conn: Connection) -> float:
        conn.active = self.now()
        return conn.active

    def _later(self, write: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_later(_SOON, self._write, write)

    def _write(self, write: Callable[[], None]) -> None:
        write()
        trouble = self._recorder.writer.trouble if self._recorder is not None else None
        if trouble is not None and not self._told:
            self._told = True
            log.warning(f"mcpsniff: {trouble}; the traffic goes on")


def comes_piece_by_piece(exchange: Exchange, response: http.Response) -> bool:
    """Whether a response is to be streamed."""
    return exchange.verdict is Verdict.MCP or bool(response.stream) or has_events(response)
