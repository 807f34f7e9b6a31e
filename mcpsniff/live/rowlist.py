"""The list of rows on the screen: draws only what is visible, and stays at the end while its cursor is there."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.events import Click
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from mcpsniff.render.lines.line import Lines

from .board import Entry

_CURSOR = Style(reverse=True)


class RowList(ScrollView, can_focus=True):
    """Shows entries, one in a line, with a cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Up", show=False),
        Binding("down,j", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown,space", "page(1)", "Page down", show=False),
        Binding("home,g", "first", "First", show=False),
        Binding("end,G", "last", "Latest"),
    ]

    class Moved(Message):
        """The cursor stands on another row."""

    def __init__(self) -> None:
        super().__init__(id="rows")
        self.entries: list[Entry] = []
        self.cursor = 0
        self.follows = True  # the cursor goes with the latest row

    @property
    def _width(self) -> int:
        """Columns beside the scroll bar."""
        return self.scrollable_content_region.width

    @property
    def current(self) -> Entry | None:
        """The entry under the cursor."""
        return self.entries[self.cursor] if self.cursor < len(self.entries) else None

    def show(self, entries: list[Entry]) -> None:
        """Shows these entries; the cursor stays on its own, or at the end."""
        before = self.current
        self.entries = entries
        self.virtual_size = Size(self._width, len(entries))
        if self.follows:
            self._go(len(entries) - 1)
        elif before is not None and self.current is not before:
            self._go(next((n for n, entry in enumerate(entries) if entry.row is before.row), self.cursor))
        self.refresh()

    def go(self, place: int) -> None:
        """Puts the cursor on a place."""
        self.follows = place >= len(self.entries) - 1
        self._go(place)

    def _go(self, place: int) -> None:
        before = self.current
        self.cursor = max(0, min(place, len(self.entries) - 1))
        self.scroll_to_region(Region(0, self.cursor, 1, 1), animate=False, force=True)
        self.refresh()
        if self.current is not before or before is None:
            self.post_message(self.Moved())

    def action_move(self, by: int) -> None:
        """Moves the cursor by lines."""
        self.go(self.cursor + by)

    def action_page(self, by: int) -> None:
        """Moves the cursor by screens."""
        self.go(self.cursor + by * max(1, self.size.height - 1))

    def action_first(self) -> None:
        """Goes to the first row."""
        self.go(0)

    def action_last(self) -> None:
        """Goes to the latest row, and on with what comes."""
        self.go(len(self.entries) - 1)

    def on_click(self, event: Click) -> None:
        """Puts the cursor where the mouse points."""
        self.go(int(self.scroll_offset.y) + event.y)

    def render_line(self, y: int) -> Strip:
        """Draws one line."""
        place = int(self.scroll_offset.y) + y
        if place >= len(self.entries):
            return Strip.blank(self._width)
        text = Text.from_ansi(self._line(place))
        text.truncate(self._width, overflow="ellipsis", pad=True)
        segments = list(text.render(self.app.console, end=""))
        if place == self.cursor:
            segments = [Segment(one.text, (one.style or Style()) + _CURSOR) for one in segments]
        return Strip(segments, self._width)

    def _line(self, place: int) -> str:
        entry = self.entries[place]
        lines = Lines(self._width, colour=True, http=entry.capture.transport == "http")
        if place:
            before = self.entries[place - 1]
            lines.at = before.row.t if before.capture is entry.capture else None
        return lines.of(entry.row)
