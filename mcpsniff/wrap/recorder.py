"""The recorder: a process of its own that turns the shim's frames into a capture.

It holds none of the client's pipes and no terminal, and ends when the shim's end of the pipe is closed. A capture
that cannot be opened or written is told once; the frames are taken all the same. An `end` record says that the
shim ended in order; without one the shim was killed, and then the recorder sees to the server's end.
"""

import os
import signal
import time
from collections.abc import Callable, Iterable

from mcpsniff.capture.writer import CaptureWriter
from mcpsniff.relay.intake import Frame
from mcpsniff.relay.reporter import Reporter
from mcpsniff.wire.lines import Line, LineFramer
from mcpsniff.wire.redact import Redactor
from mcpsniff.wrap.feed import END, EOF, EXIT, GAP, SIGNAL, STARTED, STDERR, STDIN, STDOUT, STREAMS
from mcpsniff.wrap.guard import Guard
from mcpsniff.wrap.heading import header, place
from mcpsniff.wrap.options import Settings

_SENDERS = ("client", "server", "stderr")  # of the lines on each stream, in the writer's words


class Recorder:
    """Writes the capture of one run of wrap.

    `start` is time zero (monotonic ns), `wrap` the pid of the shim, `report` where trouble is told.
    """

    def __init__(self, settings: Settings, start: int, wrap: int, report: int):
        self._settings = settings
        self._start = start
        self._wrap = wrap
        self._reporter = Reporter(report)
        self._writer: CaptureWriter | None = None
        self._redactor = Redactor(os.urandom(16), not settings.no_redact, settings.redact)
        self._framers = [LineFramer(settings.snaplen) for _ in STREAMS]
        self._guard: Guard | None = None
        self._in_order = False  # the shim has said that it ends
        self._on: dict[int, Callable[[float, bytes], None]] = {
            EOF: self._on_eof,
            SIGNAL: self._on_signal,
            STARTED: self._on_started,
            EXIT: self._on_exit,
            GAP: self._on_gap,
            END: self._on_end,
        }

    def record(self, frames: Iterable[Frame]) -> None:
        """Records all frames, whatever becomes of the capture, and leaves no server behind."""
        if self._settings.strict:  # the shim waits for this before it spawns, so there is no pid yet
            self._open(None)
        for kind, t, payload in frames:
            try:
                self._take(kind, t, payload)
            except Exception as error:
                self._writer = None
                self._reporter.trouble(f"the recorder failed ({error!r}); the traffic goes on unrecorded")
        if not self._in_order:
            self._wind_up()

    def _take(self, kind: int, t: float, payload: bytes) -> None:
        if kind in self._on:
            self._on[kind](t, payload)
        elif self._writer is not None:
            self._add_lines(self._writer, kind, self._framers[kind].feed(payload, t))
        if self._writer is not None:
            self._reporter.check(self._writer)

    def _on_started(self, t: float, payload: bytes) -> None:
        self._guard = Guard(int(payload))
        if not self._settings.strict:
            self._open(int(payload))

    def _on_eof(self, t: float, payload: bytes) -> None:
        stream = int(payload)
        self._flush(stream)
        self._add("eof", t, {"stream": STREAMS[stream]})

    def _on_signal(self, t: float, payload: bytes) -> None:
        self._add("signal", t, {"signal": _signal_name(int(payload)), "to": "server"})

    def _on_exit(self, t: float, payload: bytes) -> None:
        self._guard = None
        number, _, error = payload.partition(b" ")
        if error and not self._settings.strict:  # the command could not be started
            self._open(None)
        code = int(number)
        how: dict[str, object] = {"code": code} if code >= 0 else {"signal": _signal_name(-code)}
        self._add("exit", t, how | ({"error": error.decode()} if error else {}))

    def _on_gap(self, t: float, payload: bytes) -> None:
        stream, lines, size = map(int, payload.split())
        torn = self._framers[stream].flush()  # its end is lost, so its start is too
        if self._writer is not None:
            self._writer.lose(t, max(lines, 1), size + (torn.size if torn else 0), "queue-full")

    def _on_end(self, t: float, payload: bytes) -> None:
        self._in_order = True
        self._flush(STDIN, STDOUT, STDERR)
        if self._writer is not None:
            self._writer.end(t)
            self._writer = None

    def _wind_up(self) -> None:
        """Writes what is known when the shim was killed, and ends a server that stays."""
        since = time.monotonic()
        self._flush(STDIN, STDOUT, STDERR)
        if self._guard is not None:
            self._guard.end(since, self._on_guard)
        if self._writer is not None:
            self._writer.close()

    def _on_guard(self, number: signal.Signals) -> None:
        t = (time.monotonic_ns() - self._start) / 1e9
        self._add("signal", t, {"signal": number.name, "to": "server"})

    def _flush(self, *streams: int) -> None:
        for stream in streams:
            line = self._framers[stream].flush()
            if line is not None and self._writer is not None:
                self._add_lines(self._writer, stream, [line])

    def _add_lines(self, writer: CaptureWriter, stream: int, lines: list[Line]) -> None:
        if not self._redactor.points or stream == STDERR:
            writer.add_lines(_SENDERS[stream], lines)
            return
        for line in lines:
            fields = {"from": _SENDERS[stream], **({"eol": line.eol.decode()} if line.eol != b"\n" else {})}
            body = self._redactor.message(line.payload)
            writer.add_body(line.t, fields, body, size=line.size, t0=line.t0, cut=line.cut)

    def _add(self, kind: str, t: float, fields: dict[str, object]) -> None:
        if self._writer is not None:
            self._writer.add(kind, t, fields)

    def _open(self, pid: int | None) -> None:
        started = time.time() - (time.monotonic_ns() - self._start) / 1e9
        settings, wrap = self._settings, self._wrap

        def path(t: float) -> str:
            return place(settings, started + t, wrap)  # not by the clock: it may be set back, and names must sort

        fields = header(settings, self._redactor, started, pid)
        self._writer = self._reporter.open(path, fields, settings, pid=wrap, patient=not settings.strict)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"
