"""A progress bar on stderr, for long input, on a terminal alone."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, TextIO

from mcpsniff.wire.visible import visible

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

LONG = 8_000_000  # bytes: what is shorter is read before anybody wonders


class Progress:
    """Shows how much of `total` bytes has been read; silent where nobody would see it or it would not help."""

    def __init__(self, total: int, out: TextIO) -> None:
        self._out = out
        self._total = total
        self._done = 0  # bytes of the files before this one
        self._here = 0  # bytes of this one
        self._bar: Bar | None = None

    def __enter__(self) -> Progress:
        if self._total >= LONG and self._out.isatty():
            self._bar = _bar(self._out)
            self._task = self._bar.add_task("reading", total=self._total)
            self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()

    def moved(self, read: int) -> None:
        """Notes that so many bytes of the present file have been read."""
        self._here = read
        if self._bar is not None:
            self._bar.update(self._task, completed=self._done + read)

    def next(self) -> None:
        """Goes on to the next file."""
        self._done, self._here = self._done + self._here, 0

    def say(self, text: str) -> None:
        """Says something on the same stream, above the bar."""
        line = f"mcpsniff: {visible(text)}\n"
        if self._bar is not None:
            self._bar.console.out(line, end="", highlight=False)
        else:
            self._out.write(line)


def _bar(out: TextIO) -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    return Bar(*columns, console=Console(file=out), transient=True)
