"""The tools that were called or that claim something, with the claims as what they are: the server's own word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from mcpsniff.analysis.report import Data
from mcpsniff.render.words import amount, duration

from .paint import NAME_WIDTH, QUIET, columns, heading, indented

ROWS = 12  # of one session
UNCALLED = 4  # tools shown of a session that called none
CLAIMS = {  # annotation → what it says, true or false
    "readOnlyHint": ("read-only", "writes"),
    "destructiveHint": ("destructive", "not destructive"),
    "idempotentHint": ("idempotent", "not idempotent"),
    "openWorldHint": ("open world", "closed world"),
}
WIDE = 80  # columns
OTHERS = {True: 58, False: 32}  # columns that all but the tool's name need, in a wide terminal or a narrow one


def tools(sessions: Sequence[Data], width: int) -> Iterator[RenderableType]:
    """Gives the table of tools."""
    rows, left_out = [], 0
    for session in sessions:
        shown = _shown(session["tools"])
        rows += [_row(session["id"], tool) for tool in shown]
        left_out += len(session["tools"]) - len(shown)
    if not rows:
        return
    yield heading("Tools", (" (what a server claims of a tool is its own word)", QUIET))
    wide = width >= WIDE
    wanted = range(7) if wide else (0, 1, 2, 6)
    titles = ("", "tool", "calls", "failed", "result bytes", "p50", "the server claims")
    yield columns(
        [titles[i] for i in wanted],
        [[row[i] for i in wanted] for row in rows],
        (0, 1, len(wanted) - 1),
        min(NAME_WIDTH, width - OTHERS[wide]),
    )
    if left_out:
        yield indented(Text(f"and {left_out:,} more", style=QUIET))


def _shown(known: Sequence[Data]) -> Sequence[Data]:
    """Gives the tools that were called most; where none was, the first that claim something."""
    called = sorted((t for t in known if t["count"]), key=lambda t: -int(t["count"]))
    return called[:ROWS] or [t for t in known if t["claims"]][:UNCALLED]


def _row(session: str, tool: Data) -> tuple[str, ...]:
    return (
        session,
        tool["name"],
        amount(tool["count"]),
        amount(tool["errors"] + tool["tool_errors"]),
        amount(tool["result_bytes"]),
        duration(tool["latency_ms"]["p50"]),
        claimed(tool["claims"] or {}),
    )


def claimed(claims: Data) -> str:
    """Gives the annotations in words; a hint that is no flag says nothing."""
    said = [words[0] if claims[key] else words[1] for key, words in CLAIMS.items() if isinstance(claims.get(key), bool)]
    return ", ".join(said)
