"""Captures read for the page: analyzed as ever, and their rows kept beside the result."""

from __future__ import annotations

from collections.abc import Callable

from mcpsniff.analysis.engine import PROGRESS_EVERY, conclude, feed_each
from mcpsniff.analysis.result import CaptureResult
from mcpsniff.analysis.timeline import Watch
from mcpsniff.capture.parts import Files, read_parts
from mcpsniff.query import parse
from mcpsniff.render.html.rows import PageRows
from mcpsniff.rules.selection import Selection


class Pages:
    """Reads captures one after the other; `rows` are those of all that could be read."""

    def __init__(self, filter: str = "") -> None:
        """`filter`: the expression that the page opens with; raises QueryError where it is none."""
        parse(filter)
        self.filter = filter.strip()
        self.rows = PageRows()
        self._sessions = 0

    def read(self, files: Files, selection: Selection, progress: Callable[[int], None]) -> tuple[str, CaptureResult]:
        """Gives name and result of a capture, as `analyze` does."""
        reader = read_parts(files)
        watch = Watch(reader.header, selection, self._sessions, counted=True)
        for record in feed_each(reader, watch.engine):
            self.rows.take(watch.timeline.take())
            if record.line % PROGRESS_EVERY == 0:
                progress(reader.bytes_read)
        result = conclude(reader, watch.engine)
        self.rows.take(watch.timeline.take())
        self.rows.end()
        self._sessions += len(result.sessions)
        return reader.name, result
