"""The report as a terminal shows it: widths, colours, hostile text."""

import re
from io import StringIO
from pathlib import Path

import pytest

from mcpsniff.analysis.report import Report
from mcpsniff.capture.parts import grouped
from mcpsniff.render.terminal import render, text

HOSTILE = "\x1b]0;owned\x07\x1b[31m[bold red]x[/]\u202e\r\n\x9b2J:smile:"
ESCAPED = r"\x1b]0;owned\x07\x1b[31m[bold red]x[/]\u202e\r\n\x9b2J:smile:"


class Terminal(StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def hostile(value):
    """The value with every captured-looking string made hostile."""
    if isinstance(value, str):
        return value + HOSTILE
    if isinstance(value, dict):
        return {key: item if key in FIXED else hostile(item) for key, item in value.items()}
    return [hostile(item) for item in value] if isinstance(value, (list, tuple)) else value


FIXED = frozenset((
    "id", "capture", "severity", "violator", "era", "client_era", "server_era", "side", "transport", "confidence",
    "sessions", "servers", "by",
))  # fmt: skip


@pytest.fixture
def eventful(talk, report, meta) -> Report:
    """Two captures: noise, colliding tools, a comparison, a gap."""
    talk.handshake()
    talk.add(type="text", **{"from": "server"}, size=9, raw="Starting")
    other = type(talk)()
    for one, extra in ((talk, {}), (other, {"_meta": meta})):
        server = {"io.modelcontextprotocol/serverInfo": {"name": "calendar", "version": "1"}}
        done = {} if one is talk else {"resultType": "complete", "_meta": server}
        fresh = {} if one is talk else {"ttlMs": 0, "cacheScope": "private"}
        tool = {"name": "search", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}
        one.client(id=1, method="tools/list", params=extra)
        one.server(id=1, result={"tools": [tool], **done, **fresh})
        one.client(id=2, method="tools/call", params={"name": "search", **extra})
        one.server(id=2, result={"content": [], **done})
    other.add(type="gap", records=2, bytes=9, why="queue-full")
    return report(talk.file(), other.file(id="d"), rules=True)


def test_what_a_person_needs_is_there(eventful):
    """Verdict, era with evidence, finding with record and clause, costs, comparison, claims, collisions, losses."""
    shown = text(eventful)
    for wanted in (
        r"✗ 1 error\b.* in 2 sessions, 11 messages",
        r"s1 legacy 2025-11-25 over stdio",
        r"fixture-client 1\.0\.0  legacy: sends initialize \(#1\)",
        r"✗ stdout-noise  error, by the server",
        r"#4  Starting",
        r"§ 2025-11-25/basic/transports#stdio",
        r"s1  legacy +1 +1 ",
        r"Both cost the same after [\d.]+ calls",
        r"s1  search +1 .*read-only",
        r"search  s1 srv   s2 calendar",
        r"capture +the input has 1 gap; at least 2 records are missing",
        r"mcpsniff explain stdout-noise",
    ):
        assert re.search(wanted, shown), wanted


def test_what_an_import_leaves_open_is_told_once(web, report):
    """The times of the events of two streams, an input that breaks off; in one line each, whatever was in them."""
    web.add(type="gap", records=0, bytes=0, why="input-cut")
    for number in (1, 2):
        head = {"x": f"x{number}", "headers": [["Content-Type", "text/event-stream"]]}
        url = "http://localhost/mcp"
        web.add(type="request", x=f"x{number}", method="POST", url=url, headers=[["Mcp-Session-Id", "s"]])
        web.client(id=number, method="tools/list", params={})
        web.records[-1]["x"] = f"x{number}"
        web.add(type="response", status=200, untimed=True, **head)
        web.add(type="close", x=f"x{number}", by="open", why="unknown")
    shown = text(report(web.file(imported_from=[{"file": "a.har"}])), 200)
    assert "has 1 gap; it is not known of what\n" in shown
    assert shown.count("does not say when the events of 2 streams came: their latency, and their order") == 1


def test_the_last_part_breaks_off(talk, report, tmp_path):
    """Of a capture in parts the first has no end record either, and is whole."""
    talk.handshake()
    paths = [str(tmp_path / f"s-0000{part}.jsonl") for part in (1, 2)]
    said = talk.records
    for number, path in enumerate(paths, 1):
        talk.records = said[:2] if number == 1 else said[2:]
        Path(path).write_bytes(talk.file(end=False, part=number).getvalue())
    shown = text(report(*grouped(paths)), 200)
    assert re.findall(r"[^/ ]+ breaks off", shown) == ["s-00002.jsonl breaks off"]


def test_the_hint_names_the_worst_finding(talk, report):
    """Not the first one, where that is a smaller thing."""
    talk.handshake()
    talk.client(id=1, method="no/such")
    talk.server(id=1, result={})
    talk.server(id=99, result={})
    made = report(talk.file(), rules=True)
    first, *_ = (finding["rule"] for finding in made.sessions[0]["findings"])
    worst = next(finding["rule"] for finding in made.sessions[0]["findings"] if finding["severity"] == "error")
    assert first != worst
    assert f"mcpsniff explain {worst} says more" in text(made)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_wider_than_asked(eventful, width):
    """Tables drop columns and text wraps; nothing is padded to the right."""
    lines = text(eventful, width).splitlines()
    assert max(map(len, lines)) <= width
    assert all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize("width", [20, 60, 120])
def test_hostile_text_cannot_drive_the_terminal(eventful, width):
    """Controls, direction marks, markup and emoji names come out as plain characters, on a terminal and off it."""
    fields = {name: hostile(getattr(eventful, name)) for name in ("captures", "sessions", "tool_collisions", "losses")}
    report = Report(**{**{name: getattr(eventful, name) for name in Report.__dataclass_fields__}, **fields})
    plain = text(report, width)
    assert all(char.isprintable() or char == "\n" for char in plain)
    out = Terminal()
    render(report, out, width)
    styles = re.compile(r"\x1b\[[\d;]*m|\x1b\]8;[^\x1b]*\x1b\\")
    assert all(char.isprintable() or char == "\n" for char in styles.sub("", out.getvalue()))


def test_hostile_text_is_shown_whole(talk, report):
    """The reader sees what was sent, as escapes; markup and emoji names stay as they are."""
    talk.add(type="text", **{"from": "server"}, size=99, raw=HOSTILE)
    shown = text(report(talk.file(), rules=True), 200)
    assert f"#1  {ESCAPED}" in shown


def test_colour_only_on_a_terminal(eventful, monkeypatch):
    """Escapes on a terminal, none off it."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    on, off = Terminal(), StringIO()
    render(eventful, on, 80)
    render(eventful, off, 80)
    assert "\x1b[" in on.getvalue()
    assert "\x1b" not in off.getvalue()


def test_a_clean_report_says_so(talk, report):
    """Nothing found is said in words; where no rule ran it is not claimed."""
    talk.handshake()
    assert text(report(talk.file(), rules=True)).startswith("✓ Nothing wrong found in 1 session, 3 messages\n")
    assert text(report(talk.file())).startswith("Measured only, nothing judged in 1 session")


def test_many_sessions_are_an_overview(talk, report):
    """Of more than four sessions only those with findings have a block."""
    talk.handshake()
    clean = [talk.file(id=f"c{n}") for n in range(4)]
    talk.add(type="text", **{"from": "server"}, size=9, raw="Starting")
    shown = text(report(*clean, talk.file(id="bad"), rules=True))
    assert re.search(r"s5  legacy 2025-11-25  srv 2 +3  ✗1", shown)
    assert "s5 legacy 2025-11-25 over stdio" in shown
    assert "s1 legacy 2025-11-25 over stdio" not in shown


def test_a_long_name_leaves_room_for_the_claims(eventful):
    """At 80 columns the last column keeps its heading in words, and the name is cut."""
    (first, *others) = eventful.sessions
    long = {**first, "tools": [{**tool, "name": "L" * 200} for tool in first["tools"]]}
    shown = text(Report(**{**vars_of(eventful), "sessions": (long, *others)}), 80)
    assert re.search(r"^ {40,}the server$", shown, re.MULTILINE)
    assert "LLL…" in shown


@pytest.mark.parametrize("columns", ["0", "1"])
def test_a_terminal_without_width_still_gets_the_report(eventful, columns, monkeypatch):
    """Some terminals say that they have no columns."""
    monkeypatch.setenv("COLUMNS", columns)
    out = StringIO()
    render(eventful, out)
    assert out.getvalue() == text(eventful, 40)


def vars_of(report):
    """The report's fields by name."""
    return {name: getattr(report, name) for name in Report.__dataclass_fields__}
