"""The recorder's end of the report pipe, and the capture whose opening and faults are reported there."""

import os
import select
from collections.abc import Callable, Mapping
from contextlib import suppress

from mcpsniff.capture.writer import CaptureWriter
from mcpsniff.relay import Keeping

_LINE = 1000  # bytes of a line on the traffic; the pipe takes it whole if it takes any


class Reporter:
    """Reports to the parent; of what is wrong only the first thing, as some clients show stderr as failure."""

    def __init__(self, fd: int):
        self._fd = fd
        self._told = False  # that there is something wrong with the capture

    def open(
        self,
        path: Callable[[float], str],
        header: Mapping[str, object],
        keeping: Keeping,
        *,
        pid: int,
        patient: bool = False,
    ) -> CaptureWriter | None:
        """Opens the capture, and reports where it lies, or why it cannot be opened; `pid` is that of the parent.

        `path` gives that of a file that begins at `t`. If `patient`, what cannot be opened yet is tried again.
        """
        try:
            writer = CaptureWriter(path, header, snaplen=keeping.snaplen, storage=keeping, pid=pid, patient=patient)
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            self.trouble(f"cannot write the capture {path(0.0)!r}: {getattr(error, 'strerror', None) or error}")
            return None
        if not writer.opened:
            self.trouble(f"cannot write the capture {writer.path!r}: {writer.failed}")
        self.check(writer)
        if not self._told:
            self._say(f"+{writer.path}")
        return writer

    def check(self, writer: CaptureWriter) -> None:
        """Reports what could not be written, or not be done with the files, where there is such a thing."""
        if writer.trouble is not None:
            self.trouble(writer.trouble)

    def trouble(self, text: str) -> None:
        """Reports the first thing that is wrong."""
        if not self._told:
            self._told = True
            self._say(f"-{text}")

    def line(self, text: str) -> None:
        """Reports on the traffic, unless nobody reads fast enough: recording does not wait for a terminal."""
        poll = select.poll()
        poll.register(self._fd, select.POLLOUT)
        if poll.poll(0):
            self._say(f"={text[:_LINE]}")

    def _say(self, line: str) -> None:
        with suppress(OSError):  # the parent was killed
            os.write(self._fd, f"{line}\n".encode("utf-8", "backslashreplace"))
