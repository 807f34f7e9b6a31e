"""What only several sessions show: both eras side by side, and tools that share a name."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from mcpsniff.analysis.report import Data, Report
from mcpsniff.render.words import amount

from .paint import QUIET, STRONG, columns, facts, heading, indented, line


def side_by_side(report: Report) -> Iterator[RenderableType]:
    """Gives the comparison of a legacy and a modern session."""
    both = report.comparison
    if both is None:
        return
    legacy, modern = both["sessions"]
    yield heading("The eras side by side")
    rows = [
        ["round trips before the first call", *map(amount, both["round_trips"])],
        ["bytes a call", *map(amount, both["bytes_per_call"])],
    ]
    yield columns(["", f"legacy {legacy}", f"modern {modern}"], rows, (0,))
    yield indented(Text(_break_even(both), style=QUIET))


def _break_even(both: Data) -> str:
    calls = both["break_even_calls"]
    legacy, modern = both["bytes_per_call"]
    cheaper = "legacy" if legacy < modern else "modern"
    if calls is None:
        return f"The {cheaper} session costs less from the first call on."
    return f"Both cost the same after {amount(calls)} calls; from then on the {cheaper} session costs less."


def collisions(report: Report) -> Iterator[RenderableType]:
    """Gives the tool names that more than one server offers."""
    if not report.tool_collisions:
        return
    names = {session["id"]: (session["server"] or {}).get("name") for session in report.sessions}
    yield heading("Tools of one name on several servers")
    yield facts((clash["name"], line(*_servers(clash["servers"], names))) for clash in report.tool_collisions)


def _servers(ids: list[str], names: dict[str, str | None]) -> list[tuple[str, str]]:
    parts = []
    for id_ in ids:
        parts += [(id_, STRONG), (f" {names[id_] or 'a server without a name'}   ", "")]
    return parts
