"""Clients and servers of the Python SDKs through wrap: nothing changes for them, and all is recorded and told right."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

LEGACY, MODERN = "2025-11-25", "2026-07-28"  # the newest revision of each era

CALLS = [["call_tool", "echo", {"text": "hi"}], ["watch", "slow", {"steps": 3}], ["call_tool", "fail"]]
REST = [["read_resource", "note://today"], ["get_prompt", "greet", {"name": "Ann"}]]
TOUR = [["list_tools"], *CALLS, *REST, ["call_tool", "add", {"a": 1, "b": 2}]]
# A tool that asks the user, one that asks for the client's roots, one that logs, one that prints to stdout.
ASKING = [["call_tool", "confirm"], ["call_tool", "roots"], ["call_tool", "chatty"], ["call_tool", "noisy"]]
TIME = [
    ["list_tools"],
    ["call_tool", "convert_time", {"source_timezone": "UTC", "time": "10:00", "target_timezone": "Asia/Tokyo"}],
    ["call_tool", "convert_time", {"source_timezone": "Nowhere", "time": "10:00", "target_timezone": "UTC"}],
]

UNDECLARED = {"capability-not-declared": "error"}  # both Python SDKs log without declaring it
NOISE = {"stdout-noise": "error"}


@dataclass(frozen=True)
class Pair:
    """Who talks to whom, and what the report must say of it."""

    client: str
    mode: str
    server: str
    eras: tuple[str, str, str]  # of the session, of the client, of the server
    round_trips: int  # before the first call
    steps: list[list[Any]]
    faults: dict[str, str] = field(default_factory=dict)
    log_level: str | None = None  # that a modern client asks for with each request

    def __str__(self) -> str:
        return "-".join(filter(None, (self.client, self.mode, self.server, self.log_level)))


OLD, NEW = ("legacy",) * 3, ("modern",) * 3
GIVEN_UP = [["abandon", "hang"], ["call_tool", "echo", {"text": "bye"}]]
PAIRS = [
    Pair("py2", "legacy", "py2", OLD, 1, TOUR + ASKING + GIVEN_UP, UNDECLARED),
    Pair("py2", "auto", "py2", NEW, 1, TOUR + ASKING + GIVEN_UP),
    Pair("py2", "auto", "py2", NEW, 1, [["list_tools"], *ASKING], UNDECLARED, "info"),
    Pair("py2", MODERN, "py2", NEW, 0, TOUR + ASKING + GIVEN_UP),
    Pair("py2", "legacy", "py1", OLD, 1, TOUR + ASKING, UNDECLARED | NOISE),
    Pair("py2", "auto", "py1", ("legacy", "dual", "legacy"), 2, TOUR + ASKING, UNDECLARED | NOISE),
    Pair("py2", "legacy", "fastmcp4", OLD, 1, TOUR),
    Pair("py2", "auto", "fastmcp4", NEW, 1, TOUR),
    Pair("py2", MODERN, "fastmcp4", NEW, 0, TOUR),
    Pair("py2", "legacy", "time", OLD, 1, TIME),
    Pair("py2", "auto", "time", NEW, 1, TIME),
    Pair("py2", MODERN, "time", NEW, 0, TIME),
    Pair("py1", "legacy", "py1", OLD, 1, TOUR + ASKING, UNDECLARED | NOISE),
    Pair("py1", "legacy", "py2", OLD, 1, TOUR + ASKING, UNDECLARED),
]


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_a_pair_talks_as_without_wrap(
    pair: Pair,
    talk: Callable[..., Any],
    server: Callable[[str], list[str]],
    report: Callable[..., Any],
    faults: Callable[[Any], dict[str, str]],
    checked: Callable[[dict[str, str]], dict[str, str]],
) -> None:
    """The client gets what it gets without wrap, the capture holds every byte, and the report knows who spoke what."""
    played = talk(pair.client, server(pair.server), mode=pair.mode, steps=pair.steps, log_level=pair.log_level)
    assert without_days(played.through) == without_days(played.direct)
    assert played.recorded == played.streams

    (session,) = report(played.capture)
    assert (session["era"], session["client_era"], session["server_era"]) == pair.eras
    assert session["revision"] == played.direct["revision"] == (MODERN if pair.eras == NEW else LEGACY)
    assert session["round_trips"]["before_first_call"] == pair.round_trips
    assert {side: session["messages"][side] for side in played.counts} == played.counts
    assert faults(session) == checked(pair.faults)


@pytest.mark.parametrize("node", [False, True], ids=["refused", "served"])
def test_a_modern_client_at_a_legacy_server_is_told_from_it(
    node: bool,
    talk: Callable[..., Any],
    request: pytest.FixtureRequest,
    report: Callable[..., Any],
) -> None:
    """A client that does not probe asks a legacy server, which refuses (Python) or serves it as legacy (Node)."""
    command = request.getfixturevalue("everything") if node else request.getfixturevalue("server")("py1")
    played = talk("py2", command, mode=MODERN, steps=[["call_tool", "get-sum", {"a": 1, "b": 2}]])
    assert played.through == played.direct
    assert played.recorded == played.streams
    (session,) = report(played.capture)
    assert session["client_era"] == "modern"
    assert session["server_era"] in (("legacy",) if node else ("legacy", "unknown"))
    assert session["calls"]["results" if node else "errors"] == 1


def test_calls_of_a_modern_session_are_told_apart(
    talk: Callable[..., Any], server: Callable[[str], list[str]], report: Callable[..., Any]
) -> None:
    """A call that asks the user is one call in two requests; one fails, one is given up, the others give results."""
    steps = [
        ["list_tools"],
        ["call_tool", "echo", {"text": "hi"}],
        ["call_tool", "fail"],
        ["call_tool", "confirm"],
        *GIVEN_UP,
    ]
    (session,) = report(talk("py2", server("py2"), mode=MODERN, steps=steps).capture)
    calls = session["calls"]
    assert (calls["count"], calls["logical"]) == (6, 5)
    outcomes = {name: calls[name] for name in ("results", "errors", "tool_errors", "input_required", "cancelled")}
    assert outcomes == {"results": 3, "errors": 0, "tool_errors": 1, "input_required": 1, "cancelled": 1}
    assert calls["unanswered"] == 0


@pytest.mark.parametrize("mode", ["legacy", MODERN])
def test_a_call_costs_what_it_weighs(
    mode: str, talk: Callable[..., Any], server: Callable[[str], list[str]], report: Callable[..., Any]
) -> None:
    """Bytes per call are those of the calls and their answers; the handshake and the client's own list stand apart."""
    played = talk("py2", server("py2"), mode=mode, steps=[["call_tool", "echo", {"text": "hi"}]] * 100)
    up, down = (played.streams[sender].splitlines(keepends=True) for sender in ("client", "server"))
    calls = [line for line in up if b'"tools/call"' in line]
    answers = [line for line in down if b'"content"' in line]
    handshake = [up[0], down[0], up[1]] if mode == "legacy" else []  # initialize, its answer, initialized
    fixed = sum(map(len, handshake))

    (session,) = report(played.capture)
    cost = session["calls"]["bytes_per_call"]
    assert len(calls) == len(answers) == session["calls"]["count"] == 100
    assert cost["marginal"] == pytest.approx(sum(map(len, calls + answers)) / 100)
    assert cost["fixed"] == fixed
    assert cost["amortised"] == pytest.approx(cost["marginal"] + fixed / 100)
    if mode == "legacy":
        assert cost["marginal"] == pytest.approx(227.92)  # measured for this SDK and this call apart from mcpsniff


def without_days(outcome: object) -> str:
    """The outcome as text, without the days in its times: midnight may come between two runs."""
    return re.sub(r"\d{4}-\d\d-\d\dT|[A-Z][a-z]+day", "", json.dumps(outcome))
