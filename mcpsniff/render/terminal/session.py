"""One session: who spoke, in which era and why we say so, what the server had to hold, how it ended, what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from mcpsniff.analysis.report import Data
from mcpsniff.render.words import MARK, amount, count, duration

from .findings import finding_lines
from .paint import COLOUR, QUIET, STRONG, columns, facts, heading, line

WIDE = 80  # columns
RANK = {"error": 0, "warning": 1, "info": 2}
OUTCOMES = {
    "results": "result",
    "errors": "error",
    "tool_errors": "tool error",
    "input_required": "input required",
    "cancelled": "cancelled",
    "unanswered": "unanswered",
}
COUNTABLE = frozenset(("result", "error", "tool error"))


def session_block(session: Data, capture: Data) -> Iterator[RenderableType]:
    """Gives the block of one session."""
    yield heading((session["id"], STRONG), f" {era_of(session)} ", (f"over {session['transport']}", QUIET))
    yield facts(_facts(session, capture))
    for finding in sorted(session["findings"], key=lambda f: RANK[f["severity"]]):
        yield from finding_lines(finding)


def overview(sessions: Sequence[Data], files: Mapping[str, Data], width: int) -> RenderableType:
    """Gives one line a session."""
    cells: dict[str, Callable[[Data], str | Text]] = {
        "": lambda s: s["id"],
        "era": era_of,
        "server": lambda s: _name(s["server"]),
        "messages": lambda s: amount(s["messages"]["total"]),
        "found": _found,
        "capture": lambda s: files[s["capture"]]["file"].rpartition("/")[2],
    }
    if width < WIDE:
        del cells["server"]
    rows = [[cell(session) for cell in cells.values()] for session in sessions]
    left = [number for number, title in enumerate(cells) if title != "messages"]
    return Padding(columns(list(cells), rows, left), (1, 0, 0, 0))


def era_of(session: Data) -> str:
    """Gives era and revision in words."""
    era, revision = session["era"], session["revision"]
    if era == "unknown":
        return "era unknown"
    if revision is None:
        # without a version header a server must assume 2025-03-26
        return f"{era}, 2025-03-26 or earlier" if session["transport"] == "http" else f"{era}, revision not seen"
    return f"{era} {revision}"


def _found(session: Data) -> Text:
    tally = [(s, sum(f["severity"] == s for f in session["findings"])) for s in RANK]
    return line(*[(f"{MARK[s]}{n} ", COLOUR[s]) for s, n in tally if n])


def _name(party: Any) -> str:
    if party is None:
        return "–"
    return " ".join(part for part in (party["name"], party["version"]) if part) or "–"


def _facts(session: Data, capture: Data) -> Iterator[tuple[str, Text]]:
    yield "capture", _source(capture)
    for side in ("client", "server"):
        yield side, _party(session, side)
    if session["negotiation"]["outcome"] not in (None, "agreed"):
        yield "versions", _negotiation(session["negotiation"])
    yield "messages", _messages(session["messages"])
    if session["calls"]["count"]:
        yield "tool calls", _calls(session["calls"])
    if session["http"] is not None:
        yield "http", _http(session["http"])
    if session["server_memory"] or session["era"] == "modern":
        yield "remembers", _memory(session["server_memory"])
    if session["shutdown"]["by"] or not session["complete"] or session["transport"] == "stdio":
        yield "ended", _ended(session)


def _source(capture: Data) -> Text:
    started = capture["upstream"] or " ".join(capture["command"] or ())
    return line(capture["file"], (f"  {started}" if started else "", QUIET))


def _party(session: Data, side: str) -> Text:
    evidence = next((e for e in session["era_evidence"] if e["side"] == side), None)
    why = f"{evidence['why']} (#{evidence['seq']})" if evidence else "nothing says which era"
    name = _name(session[side])
    era = session[f"{side}_era"]
    return line((name, STRONG if name != "–" else QUIET), (f"  {era}: " if evidence else "  ", ""), (why, QUIET))


def _negotiation(negotiation: Data) -> Text:
    offered = ", ".join(negotiation["client_versions"]) or "none"
    known = ", ".join(negotiation["server_versions"]) or "none named"
    return line(negotiation["outcome"], (f"; client offered {offered}; server: {known}", QUIET))


def _messages(messages: Data) -> Text:
    sizes = [f"{side} {amount(messages[side]['bytes'])} bytes" for side in ("client", "server")]
    noise = [f"{amount(messages['text'])} not JSON"] if messages["text"] else []
    stderr = [f"{count(messages['stderr'], 'line')} on stderr"] if messages["stderr"] else []
    return line(amount(messages["total"]), ("; " + ", ".join([*sizes, *noise, *stderr]), QUIET))


def _calls(calls: Data) -> Text:
    said = ", ".join(_outcome(calls[key], noun) for key, noun in OUTCOMES.items() if calls[key])
    joined = "" if calls["logical"] == calls["count"] else f" for {count(calls['logical'], 'logical call')}"
    return line(f"{amount(calls['count'])}{joined}", (f": {said}", QUIET))


def _outcome(number: int, noun: str) -> str:
    return count(number, noun) if noun in COUNTABLE else f"{number:,} {noun}"


def _http(http: Data) -> Text:
    status = ", ".join(f"{n} × {code}" for code, n in http["status"].items())
    size = f"{amount(http['head_bytes'])} bytes of heads, {amount(http['framing_bytes'])} of framing"
    return line(
        count(http["exchanges"], "exchange") + _on(http["connections"]),
        (f"; {status}; {size}" if status else f"; {size}", QUIET),
    )


def _on(connections: int | None) -> str:
    return "" if connections is None else f" on {count(connections, 'connection')}"


def _memory(timeline: Sequence[Data]) -> Text:
    most: Sequence[str] = max((entry["holds"] for entry in timeline), key=len, default=())
    if not most:
        return line("nothing between requests")
    return line(f"{count(len(most), 'thing')} at most", (": " + ", ".join(most), QUIET))


def _ended(session: Data) -> Text:
    shutdown = session["shutdown"]
    parts = []
    if shutdown["signal"] is not None:
        parts.append(f"killed by {shutdown['signal']}")
    elif shutdown["exit_code"] is not None:
        parts.append(f"exit status {shutdown['exit_code']}")
    if shutdown["stdin_eof_to_exit_ms"] is not None:
        parts.append(f"{duration(shutdown['stdin_eof_to_exit_ms'])} after the end of input")
    if not session["complete"]:
        parts.append("the capture does not hold all of it")
    by = f"by the {shutdown['by']}" if shutdown["by"] else "not seen"
    return line(by, ("; " + ", ".join(parts) if parts else "", QUIET))
