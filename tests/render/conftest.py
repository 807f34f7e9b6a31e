"""A report whose findings say what renderers have to guard against."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from mcpsniff.analysis.report import Report

HOSTILE = '=1+1 \x1b[31m<b>]]>&"\u202e\ufffe | `` ` [x](http://evil.example) @all ![i](u)\r\n# head, 100%::error::'


@pytest.fixture
def hostile() -> str:
    """Text that is a formula, markup, a terminal's command, and no XML character, at once."""
    return HOSTILE


@pytest.fixture
def findings(talk: Any, report: "Callable[..., Report]") -> "Report":
    """An error that says something hostile, the same as a warning and as advice; then a session without any."""
    talk.handshake()
    talk.add(type="text", **{"from": "server"}, size=9, raw="Starting")
    clean = type(talk)()
    clean.handshake()
    made = report(talk.file(), clean.file(id="d"), rules=True)
    noisy, quiet = made.sessions
    (found,) = noisy["findings"]
    said = [{**found, "severity": severity, "message": HOSTILE} for severity in ("error", "warning", "info")]
    captures = ({**made.captures[0], "file": "-logs/a b,c:1%.jsonl"}, {**made.captures[1], "file": "d.jsonl"})
    summary = {"sessions": 2, "messages": 6, "findings": {"error": 1, "warning": 1, "info": 1}}
    return replace(made, captures=captures, sessions=({**noisy, "findings": said}, quiet), summary=summary)


@pytest.fixture
def nothing(report: "Callable[..., Report]") -> "Report":
    """The report on no capture at all."""
    return report(rules=True)
