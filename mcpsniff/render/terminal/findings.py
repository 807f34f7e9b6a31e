"""One finding: what, who, how often, the record that shows it, and the clause that says so."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mcpsniff.analysis.report import Data
from mcpsniff.render.words import MARK

from .paint import COLOUR, QUIET, indented, line

BLAME = {"client": "by the client", "server": "by the server", "either": "by either side", "unknown": "by nobody known"}
SPECIFICATION = "https://modelcontextprotocol.io/specification/"


def finding_lines(finding: Data) -> Iterator[RenderableType]:
    """Gives the lines of one finding; advice is kept to its sentence."""
    severity = finding["severity"]
    yield Padding(_title(finding, severity), (0 if severity == "info" else 1, 0, 0, 2))
    yield indented(Text(finding["message"], overflow="fold"), 4)
    if severity != "info":
        yield _record(finding)
        clause = _clause(finding)
        if clause is not None:
            yield indented(clause, 4)


def _title(finding: Data, severity: str) -> Text:
    times = f", {finding['count']} times" if finding["count"] > 1 else ""
    unsure = "" if finding["confidence"] == "certain" else f", {finding['confidence']}"
    return line(
        (f"{MARK[severity]} {finding['rule']}", COLOUR[severity]),
        (f"  {severity}, {BLAME[finding['violator']]}{times}{unsure}", QUIET),
    )


def _record(finding: Data) -> RenderableType:
    first, *others = finding["seq"]
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold", style="italic")
    grid.add_row(f"#{first}", Text(finding["excerpt"], overflow="fold"))
    if others:
        grid.add_row("", Text("see also " + " ".join(f"#{seq}" for seq in others), style="dim not italic"))
    return indented(grid, 4)


def _clause(finding: Data) -> Text | None:
    """Gives the clause, short to read, whole to click."""
    if not finding["spec"]:
        return None
    url = finding["spec"][0]
    return line(("§ " + url.removeprefix(SPECIFICATION), f"{QUIET} link {url}"))
