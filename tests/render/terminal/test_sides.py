"""Captures side by side, as a terminal shows them."""

from io import StringIO

import pytest

from mcpsniff.frames.comparison import Comparison
from mcpsniff.render.terminal.sides import render

FIGURES = {
    "era": ["legacy"],
    "revision": ["2025-11-25"],
    "transport": ["stdio"],
    "client": ["c 1"],
    "server": ["s 2"],
    "messages": 10,
    "client_bytes": 100,
    "server_bytes": 300,
    "head_bytes": None,
    "framing_bytes": None,
    "round_trips": 4,
    "tool_calls": 2,
    "errors": 0,
    "warnings": 0,
    "infos": 0,
    "round_trips_before_first_call": 1,
    "fixed_bytes": 400,
    "tools_list_bytes": None,
    "bytes_per_call": 200,
    "p50_ms": 5.0,
    "p90_ms": 9.0,
    "p99_ms": 9.9,
}


def side(name, **figures):
    """A side with some figures of its own."""
    return {"name": name, "sessions": ["s1"], **FIGURES, **figures}


@pytest.fixture
def shown():
    """Shows a comparison as lines of single words."""

    def show(*sides, **parts):
        empty = {"methods": [], "findings": [], "tools": [], "collisions": [], "break_even_calls": None}
        render(Comparison(list(sides), **{**empty, **parts}), out := StringIO(), 100)
        return [" ".join(line.split()) for line in out.getvalue().splitlines()]

    return show


def test_two_sides_and_the_change(shown):
    """Half as many messages, a quarter more bytes, the same trips; what neither has is no row."""
    lines = shown(side("a.jsonl"), side("b.jsonl", messages=5, client_bytes=125, fixed_bytes=0))
    assert "A a.jsonl client c 1 server s 2" in lines
    assert "messages 10 5 -50%" in lines
    assert "bytes from the client 100 125 +25%" in lines
    assert "round trips 4 4" in lines
    assert "fixed bytes of a session 400 0 -100%" in lines
    assert not any("HTTP" in line for line in lines)


def test_what_began_at_nothing_has_no_percentage(shown):
    """From 0 to 7 is seven more."""
    assert "tool calls 0 7 +7" in shown(side("a", tool_calls=0), side("b", tool_calls=7))


def test_findings_that_differ(shown):
    """Each says what became of it; those that are the same are counted."""
    counts = {"x-new": [0, 1], "x-gone": [2, 0], "x-more": [1, 3], "x-fewer": [3, 1], "x-same": [1, 1]}
    found = [{"rule": rule, "violator": "client", "severity": "error", "counts": both} for rule, both in counts.items()]
    lines = shown(side("a"), side("b"), findings=found)
    assert "✗ x-new client – 1 new" in lines
    assert "✗ x-gone client 2 – gone" in lines
    assert "✗ x-more client 1 3 more" in lines
    assert "✗ x-fewer client 3 1 fewer" in lines
    assert "1 more the same in all." in lines
    assert not any("x-same" in line for line in lines)


def test_tools_that_differ(shown):
    """Where it is missing, and which members are others; a side that lists none is not said to miss it."""
    missing, other = {"name": "t", "sides": [True, False], "members": []}, {"name": "u", "sides": [True, None]}
    lines = shown(side("a"), side("b"), tools=[missing, other | {"members": ["x"]}])
    assert "t not in B" in lines
    assert "u another x" in lines


def test_many_sides_have_a_row_each(shown):
    """With the sum of bytes, and findings by severity; faults say where they are."""
    sides = [side(f"{name}.jsonl", errors=n) for n, name in enumerate("abcd")]
    found = [{"rule": "x", "violator": "server", "severity": "warning", "counts": [0, 2, 0, 1]}]
    lines = shown(*sides, findings=found)
    assert "A legacy 10 4 400 2 200 5.0 ms 0 0 0" in lines
    assert "D legacy 10 4 400 2 200 5.0 ms 3 0 0" in lines
    assert "▲ x server B 2, D 1" in lines


def test_what_was_captured_drives_no_terminal(shown):
    """A server's name with an escape sequence is shown, not obeyed."""
    assert not any("\x1b" in line for line in shown(side("a", server=["\x1b[31mred"]), side("b")))


def test_letters_go_on(shown):
    """After Z comes AA."""
    rows = [line.split()[0] for line in shown(*(side(str(n)) for n in range(28))) if " legacy " in line]
    assert rows[24:] == ["Y", "Z", "AA", "AB"]
