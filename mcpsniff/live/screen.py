"""The screen of `mcpsniff follow`: rows, the chosen one in full, findings, counts, a filter. Stands on textual."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from mcpsniff.query import QueryError
from mcpsniff.render.words import MARK, count
from mcpsniff.wire.visible import visible

from .board import Board, Noted
from .detail import COLOURS, detail
from .events import Event
from .follower import Follower
from .rowlist import RowList

LOOK = 0.1  # seconds between two looks
BUDGET = 0.05  # seconds of one look, so that keys are answered


class FollowApp(App[None]):
    """Shows what a follower tells."""

    TITLE = "mcpsniff follow"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #rows { height: 3fr; }
    #below { height: 2fr; border-top: solid $primary; }
    #detail { width: 3fr; padding: 0 1; }
    #found { width: 2fr; border-left: solid $primary; }
    #findings { height: 1fr; border: none; background: $background; }
    #counts { height: 1; padding: 0 1; background: $panel; text-wrap: nowrap; text-overflow: ellipsis; }
    #wrong { height: auto; padding: 0 1; color: $error; display: none; }
    #filter { display: none; height: 3; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "quit", "Quit"),
        Binding("ctrl+c", "quit", "Quit", show=False, priority=True),
        Binding("slash", "ask", "Filter"),
        Binding("n", "finding(1)", "Next finding"),
        Binding("N", "finding(-1)", "Previous finding", show=False),
        Binding("escape", "leave", "Back", show=False),
    ]

    def __init__(self, follower: Follower, name: str, filter: str) -> None:
        super().__init__()
        self._follower = follower
        self._path = name
        self._board = Board(filter)
        self._events: Iterator[Event] = iter(())
        self._listed: list[Noted] = []  # the findings in their list

    @property
    def rows(self) -> RowList:
        """The list of rows."""
        return self.query_one(RowList)

    def compose(self) -> ComposeResult:
        """Lays the screen out."""
        yield Static(id="counts")
        yield RowList()
        with Horizontal(id="below"):
            with VerticalScroll(id="detail"):
                yield Static(id="text")
            with Vertical(id="found"):
                yield OptionList(id="findings")
        yield Static(id="wrong")
        yield Input(self._board.filter, placeholder="method:tools/*  severity>=warning  latency>250ms", id="filter")
        yield Footer()

    def on_mount(self) -> None:
        """Begins to look."""
        self.rows.focus()
        self._draw()
        self.set_interval(LOOK, self._look)

    def _look(self) -> None:
        """Takes in what is new, for a while; the rest waits for the next look."""
        until = time.monotonic() + BUDGET
        some = False
        for event in self._events:
            some = True
            self._board.take(event)
            if time.monotonic() > until:
                break
        else:
            self._events = self._follower.events()
        if some:
            self._board.settle()
            self._draw()

    def _draw(self) -> None:
        self.rows.show(self._board.chosen)
        self._list_findings()
        self.query_one("#counts", Static).update(self._counts())

    def _counts(self) -> Text:
        """Gives the line above the rows: how much there is, what was found, what is followed."""
        board = self._board
        live = len(board.captures) - len(board.ended)
        followed = f"{count(len(board.captures), 'capture')}, {live} live" if board.captures else "waiting"
        chosen = f", {len(board.chosen):,} shown" if board.filter.strip() else ""
        text = Text(f"{followed}  {count(board.total, 'row')}{chosen} ")
        for severity, mark in MARK.items():
            number = board.severities[severity]
            text.append(f" {mark} {number:,}", COLOURS[severity] if number else "dim")
        if board.filter.strip():
            text.append(f"  filter: {visible(board.filter)}", "italic")
        if board.dropped:
            text.append(f"  the oldest {board.dropped:,} are not kept", "dim")
        for said in (*board.refused[-1:], self._path):
            text.append(f"  {visible(said)}", "dim")
        return text

    def _list_findings(self) -> None:
        """Brings the list of findings up to date; mostly some are to be added."""
        known, now = self._listed, list(self._board.findings)
        listing = self.query_one("#findings", OptionList)
        if now[: len(known)] != known:
            listing.clear_options()
            known = []
        listing.add_options([Option(_said(noted)) for noted in now[len(known) :]])
        self._listed = now

    # what the user does

    def on_row_list_moved(self, event: RowList.Moved) -> None:
        """Shows the row under the cursor in full."""
        entry = self.rows.current
        self.query_one("#text", Static).update("" if entry is None else detail(entry))
        self.query_one("#detail", VerticalScroll).scroll_home(animate=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Goes to the row of the finding that was chosen."""
        self._go_to(self._listed[event.option_index])

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Sets the filter, or shows where it is wrong."""
        wrong = self.query_one("#wrong", Static)
        try:
            self._board.choose(event.value)
        except QueryError as error:
            wrong.update(Text("\n".join((visible(str(error)), *map(visible, error.place)))))
            wrong.display = True
            return
        self.action_leave()
        self._draw()

    def action_ask(self) -> None:
        """Opens the line for the filter."""
        line = self.query_one("#filter", Input)
        line.display = True
        line.focus()

    def action_leave(self) -> None:
        """Goes back to the rows."""
        self.query_one("#filter", Input).display = False
        self.query_one("#wrong", Static).display = False
        self.rows.focus()

    def action_finding(self, by: int) -> None:
        """Goes to the next or previous row with a finding."""
        rows = self.rows
        places = range(rows.cursor + by, len(rows.entries) if by > 0 else -1, by)
        place = next((place for place in places if rows.entries[place].row.findings), None)
        if place is not None:
            rows.go(place)

    def _go_to(self, noted: Noted) -> None:
        place = self._board.place(noted)
        if place is not None:
            self.rows.go(place)


def _said(noted: Noted) -> Text:
    pin = noted.pin
    text = Text(f"{MARK[pin.severity]} ", COLOURS[pin.severity], no_wrap=True, overflow="ellipsis")
    text.append(f"#{pin.seq} {pin.rule}", "bold")
    text.append(f"  {visible(pin.message)}", "not bold")
    return text


def show(follower: Follower, name: str, filter: str) -> None:
    """Shows the screen until the user quits."""
    FollowApp(follower, name, filter).run()
