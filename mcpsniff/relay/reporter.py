"""The recorder's end of the report pipe, and the capture whose opening and faults are reported there."""

import os
import select
from collections.abc import Mapping
from contextlib import suppress

from mcpsniff.capture.writer import CaptureWriter

_LINE = 1000  # bytes of a line on the traffic; the pipe takes it whole if it takes any


class Reporter:
    """Reports to the parent; of what is wrong only the first thing, as some clients show stderr as failure."""

    def __init__(self, fd: int):
        self._fd = fd
        self._told = False  # that there is something wrong with the capture

    def open(
        self, path: str, header: Mapping[str, object], *, snaplen: int | None = None, pid: int
    ) -> CaptureWriter | None:
        """Opens the capture, and reports where it lies, or why it cannot be opened; `pid` is that of the parent."""
        try:
            writer = CaptureWriter(path, header, snaplen=snaplen, pid=pid)
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            self.trouble(f"cannot write the capture {path!r}: {getattr(error, 'strerror', None) or error}")
            return None
        self.check(writer)
        if not self._told:
            self._say(f"+{writer.path}")
        return writer

    def check(self, writer: CaptureWriter) -> None:
        """Reports that not all could be written, where this is so."""
        if writer.failed is not None:
            self.trouble(f"cannot write all of the capture {writer.path!r}: {writer.failed}")

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
