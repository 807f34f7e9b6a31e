"""Lines: what stands in them, how wide they are, and that nothing captured reaches the terminal."""

import re

import pytest

from mcpsniff.render.lines.line import Lines
from mcpsniff.render.lines.paint import columns

HOSTILE = "\x1b]0;owned\x07\u202e東京\r\n\x9b2J"
COLOUR = re.compile(r"\x1b\[[0-9;]+m")


def shown(rows, width=None, *, colour=False, http=False):
    """The lines of rows."""
    lines = Lines(width, colour=colour, http=http)
    return [lines.of(row) for row in rows]


def test_line_says_when_who_what_how_large_how_fast(talk, rows):
    """Record, seconds, gap, arrow, kind, id, method, name, bytes, latency."""
    talk.handshake()
    talk.client(id=7, method="tools/call", params={"name": "search"})
    talk.server(id=7, result={"content": []})
    lines = [" ".join(line.split()) for line in shown(rows(talk))]
    assert lines[-2:] == [
        "4 0.400 +100 ms → request 7 tools/call search 74",
        "5 0.500 +100 ms ← result 7 tools/call search 49 100 ms",
    ]


def test_http_has_session_and_status(exchanged, rows):
    """The session and the status of the exchange stand in each line."""
    lines = [" ".join(line.split()) for line in shown(rows(exchanged), http=True)]
    assert "4" not in [line.split()[0] for line in lines]  # the head of the POST is folded
    assert "5 0.500 +300 ms s1 → request 1.0 ping 200 42" in lines
    assert any(line.startswith("2 0.200") and "← http-response HTTP status 405 405" in line for line in lines)


def test_findings_end_the_line(talk, rows):
    """With mark and rule."""
    talk.handshake()
    talk.add(type="text", **{"from": "server"}, size=9, raw="Starting")
    assert shown(rows(talk))[-1].endswith("✗ stdout-noise")


@pytest.mark.parametrize("width", [64, 80, 89, 90, 100, 140])
def test_lines_fit_the_terminal(talk, rows, width):
    """No line is wider than the terminal, whatever was captured."""
    talk.handshake()
    talk.client(id=HOSTILE * 3, method="tools/call", params={"name": "x" * 300})
    talk.add(type="text", **{"from": "server"}, size=9, raw=HOSTILE * 40)
    talk.add(type="stderr", size=9, raw="東" * 200)
    assert max(columns(line) for line in shown(rows(talk), width)) <= width


@pytest.mark.parametrize("width", range(70, 130))
def test_a_line_with_a_finding_fits_every_terminal(talk, rows, width):
    """With its cost or, where there is no room for both, without; whole and flush right from 70 columns on."""
    talk.handshake()
    talk.add(type="text", **{"from": "server"}, size=9, raw="DEBUG serving server/discover")
    line = shown(rows(talk), width)[-1]
    assert columns(line) == width - 1  # the last column stays free
    assert line.endswith(" ✗ stdout-noise")


def test_lines_without_a_terminal_are_whole(talk, rows):
    """Nothing is cut where no terminal folds it: 300 characters of a name are there."""
    talk.client(id=1, method="tools/call", params={"name": "x" * 300})
    assert "x" * 300 in shown(rows(talk))[1]


@pytest.mark.parametrize("colour", [False, True])
def test_nothing_captured_drives_the_terminal(talk, rows, colour):
    """Control and direction characters are escapes; without colours not one control character is left."""
    talk.client(id=HOSTILE, method=HOSTILE, params={"name": HOSTILE})
    talk.client(id=1, method="tools/call", params={"name": HOSTILE})
    talk.server(id=1, error={"code": -1, "message": HOSTILE})
    talk.add(type="text", **{"from": "server"}, size=9, raw=HOSTILE)
    lines = shown(rows(talk), colour=colour)
    assert all(COLOUR.sub("", line).isprintable() for line in lines)
    assert any("\x1b[" in line for line in lines) == colour


def test_many_findings_leave_room_for_the_rest(talk, rows):
    """In a narrow terminal only the first are named, and the number of the others."""
    talk.say("client", '{"id":null,"id":2,"method":5,"method":"","params":7,"jsonrpc":"1.0"}')
    (row,) = [row for row in rows(talk) if row.findings]
    assert len(row.findings) > 2
    (line,) = shown([row], 80)
    assert columns(line) <= 80
    assert re.search(r" \+\d$", line)
