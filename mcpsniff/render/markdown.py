"""The report as Markdown, for comments and summaries: the verdict, then the findings of each session.

Everything captured is hostile text and stands in code spans, where it is no link, image, mention, HTML or heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcpsniff.analysis.report import Data, Report
from mcpsniff.wire.visible import visible

from .shaping import shaped_by

HEAD = "| severity | rule | by | records | what | clause |\n|---|---|---|---|---|---|"


def render(report: Report) -> bytes:
    """Gives the Markdown document."""
    return "\n\n".join(_parts(report)).encode() + b"\n"


def _parts(report: Report) -> Iterator[str]:
    yield "# MCP traffic"
    yield _verdict(report)
    yield from map(_code, shaped_by(report))
    files = {capture["id"]: capture["file"] for capture in report.captures}
    for session in report.sessions:
        yield f"## {_code(files[session['capture']])}, {session['id']}"
        yield _facts(session)
        if session["findings"]:
            yield "\n".join((HEAD, *map(_row, session["findings"])))


def _verdict(report: Report) -> str:
    found = ", ".join(f"{n} {severity}" for severity, n in report.summary["findings"].items() if n)
    return f"{found or 'Nothing wrong found'} in {report.summary['sessions']} session(s)."


def _facts(session: Data) -> str:
    sides = " and ".join(_program(session[side]) for side in ("client", "server"))
    return f"{session['transport']}, {session['era']}, revision {session['revision'] or 'unknown'}, between {sides}"


def _program(said: Data | None) -> str:
    name = " ".join(str(said[key]) for key in ("name", "version") if said.get(key)) if said else ""
    return _code(name) if name else "a nameless one"


def _row(finding: Data) -> str:
    times = f" ({finding['count']} times)" if finding["count"] > 1 else ""
    records = ", ".join(map(str, finding["seq"]))
    what = _code(finding["message"]).replace("|", "\\|")
    clause = f"[§](<{finding['spec'][0]}>)" if finding["spec"] else ""
    cells = (finding["severity"], f"`{finding['rule']}`", finding["violator"], records, what + times, clause)
    return f"| {' | '.join(cells)} |"


def _code(said: str) -> str:
    """Gives text as a code span, fenced by more backticks than it holds in a row."""
    text = visible(said)
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence} {text} {fence}" if "`" in text else f"{fence}{text}{fence}"
