"""The report as one page for a browser: self-contained, asks the network for nothing, runs only its own script.

Everything captured is hostile text: it stands as data in an element that no browser executes, and the script shows it
as text alone.
"""

from __future__ import annotations

import inspect
import re
from base64 import b64encode
from dataclasses import fields
from hashlib import sha256
from pathlib import Path
from typing import Any

from mcpsniff.analysis.report import Report
from mcpsniff.render.json import encode
from mcpsniff.rules.catalogue import by_id
from mcpsniff.wire.visible import visible

from .bundle import script, style
from .rows import PageRows

_FOLDER = Path(__file__).parent
_POLICY = (  # frames and plug-ins are default-src's; nothing may be loaded, and only what we wrote may run
    "default-src 'none'; script-src '{script}'; style-src '{style}'; base-uri 'none'; form-action 'none'"
)
_MARKUP = re.compile("[<>&\u2028\u2029]")  # what ends a script element, opens a comment in it, or ends a line of script


def render(report: Report, rows: PageRows | None = None, filter: str = "") -> bytes:
    """Gives the page; without rows the conversation on it is empty. `filter`: the expression that it opens with."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    pages = Environment(loader=FileSystemLoader(_FOLDER), autoescape=True, undefined=StrictUndefined)
    code, look = script(), style()
    page = pages.get_template("page.html.j2").render(
        policy=Markup(_POLICY.format(script=_hash(code), style=_hash(look))),
        tool=report.tool,
        title=_title(report),
        style=Markup(look),
        script=Markup(code),
        data=Markup(_data(report, rows or PageRows(), filter)),
    )
    return f"{page}\n".encode()


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _title(report: Report) -> str:
    names = [Path(capture["file"]).name for capture in report.captures]
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return visible(f"{names[0]}{more} · mcpsniff") if names else "mcpsniff"


def _data(report: Report, rows: PageRows, filter: str) -> str:
    """Gives what the script reads, as JSON in which nothing looks like markup."""
    ids = [capture["id"] for capture in report.captures]
    data = {
        "report": {field.name: getattr(report, field.name) for field in fields(report)},
        "rules": _pages(report),
        "rows": [{"capture": id_, **row} for id_, kept in zip(ids, rows.rows, strict=False) for row in kept],
        "exchanges": dict(zip(ids, rows.exchanges, strict=False)),
        "latencies": rows.latencies,
        "left_out": rows.left_out,
        "filter": filter,
    }
    text = encode(data, indent=False).decode()
    return _MARKUP.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _pages(report: Report) -> dict[str, Any]:
    """Gives the page of each rule that found something."""
    found = {finding["rule"] for session in report.sessions for finding in session["findings"]}
    return {rule: inspect.cleandoc(by_id()[rule][0].__doc__ or "") for rule in sorted(found)}
