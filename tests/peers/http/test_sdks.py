"""Clients and servers of the Python SDKs through mitmdump and the addon: nothing changes for them, all is recorded."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

LEGACY, MODERN = "2025-11-25", "2026-07-28"  # the newest revision of each era
OLD, NEW = ("legacy",) * 3, ("modern",) * 3

BASE = [
    ["list_tools"],
    ["call_tool", "echo", {"text": "hi"}],
    ["call_tool", "fail"],
    ["read_resource", "note://today"],
    ["get_prompt", "greet", {"name": "Ann"}],
]
PROGRESS = [["watch", "slow", {"steps": 3}]]
ASK = [["call_tool", "confirm"]]  # on legacy a request of the server's, on the stream that answers the call
# Requests and notifications of the server that answer nothing: they come on the standing GET stream.
UNASKED = [["stream"], ["call_tool", "roots"], ["call_tool", "touch"], ["heard", "notifications/resources/updated"]]
LISTEN = [["listen", ["call_tool", "touch"]]]
GIVEN_UP = [["abandon", "hang"], ["call_tool", "echo", {"text": "bye"}]]

# The tool tells of a change that nobody has subscribed to; that the server says subscribe: false is the same fault.
TOUCHED = {"resource-updated-not-subscribed": "warning"}


@dataclass(frozen=True)
class Pair:
    """Who talks to whom in which way, and what the report must say of it."""

    client: str
    mode: str
    server: str
    app: str
    eras: tuple[str, str, str]  # of the session, of the client, of the server
    round_trips: int  # before the first call
    steps: list[list[Any]]
    media: set[str]  # of the answers to messages
    carriers: dict[str, set[str]]  # on which HTTP method's exchange the server says what it is not asked for
    faults: dict[str, str] = field(default_factory=dict)
    transport: str = "http"

    def __str__(self) -> str:
        return f"{self.client}-{self.mode}-{self.server}-{self.app}"


# What the server sends unasked, and where it comes: on the answer to a call, or on the standing stream.
STEP, QUESTION = {"notifications/progress": {"POST"}}, {"elicitation/create": {"POST"}}
APART = {"roots/list": {"GET"}, "notifications/resources/updated": {"GET"}}
SUBSCRIBED = {"notifications/subscriptions/acknowledged": {"POST"}, "notifications/resources/updated": {"POST"}}
ALL_APART = {method: {"GET"} for method in STEP | QUESTION | APART}

EVENTS, JSON = {"text/event-stream"}, {"application/json"}
FULL = BASE + PROGRESS + ASK

PAIRS = [
    Pair("py2", "legacy", "py2", "events", OLD, 1, FULL + UNASKED, EVENTS, STEP | QUESTION | APART, TOUCHED),
    Pair("py2", "auto", "py2", "events", NEW, 1, FULL + LISTEN, EVENTS | JSON, STEP | SUBSCRIBED),
    Pair("py2", MODERN, "py2", "events", NEW, 0, FULL + GIVEN_UP, EVENTS | JSON, STEP),
    Pair("py2", "legacy", "py2", "json", OLD, 1, BASE, JSON, {}),
    Pair("py2", MODERN, "py2", "json", NEW, 0, BASE + ASK, JSON, {}),
    Pair("py2", "legacy", "py2", "stateless", OLD, 1, BASE + PROGRESS, EVENTS, STEP),
    Pair("py2", "auto", "py2", "stateless", NEW, 1, FULL, EVENTS | JSON, STEP),
    Pair("py2", "legacy", "py2", "old", OLD, 1, FULL + UNASKED[1:], set(), ALL_APART, TOUCHED, "http+sse"),
    Pair("py2", "auto", "py1", "events", ("legacy", "dual", "legacy"), 2, FULL, EVENTS, STEP | QUESTION),
    Pair("py1", "legacy", "py1", "events", OLD, 1, FULL, EVENTS, STEP | QUESTION),
    Pair("py1", "legacy", "py2", "events", OLD, 1, FULL, EVENTS, STEP | QUESTION),
]


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_a_pair_talks_as_without_mitmdump(
    pair: Pair,
    talk: Callable[..., Any],
    report: Callable[..., Any],
    faults: Callable[[Any], dict[str, str]],
    checked: Callable[[dict[str, str]], dict[str, str]],
    without_numbers: Callable[[object], str],
) -> None:
    """The client gets what it gets without a proxy, the capture holds every exchange, and the report is right."""
    played = talk(pair.client, pair.server, pair.app, mode=pair.mode, steps=pair.steps)
    assert without_numbers(played.through) == without_numbers(played.direct)
    if pair.transport == "http+sse":
        assert messages(played.recorded) == messages(played.exchanges)
    else:
        assert sorted(played.recorded) == sorted(played.exchanges)
    assert {one.media for one in played.exchanges if (one.method, one.status) == ("POST", 200)} == pair.media
    assert played.carriers() == pair.carriers

    (session,) = report(played.capture)
    assert (session["era"], session["client_era"], session["server_era"]) == pair.eras
    assert session["transport"] == pair.transport
    assert session["revision"] == played.direct["revision"] == (MODERN if pair.eras == NEW else LEGACY)
    assert session["round_trips"]["before_first_call"] == pair.round_trips
    assert {side: session["messages"][side] for side in played.counts} == played.counts
    assert session["http"]["exchanges"] == len(played.exchanges)
    assert faults(session) == checked(pair.faults)


def test_the_command_stands_between_as_mitmdump_does(
    talk: Callable[..., Any],
    report: Callable[..., Any],
    faults: Callable[[Any], dict[str, str]],
) -> None:
    """`mcpsniff proxy URL` in place of mitmdump: a modern client that probes, follows progress and gives up."""
    played = talk("py2", "py2", "events", engine="mcpsniff proxy", mode="auto", steps=BASE + PROGRESS + ASK + GIVEN_UP)
    assert played.through == played.direct
    assert sorted(played.recorded) == sorted(played.exchanges)
    (session,) = report(played.capture)
    assert session["era"] == "modern"
    assert (session["calls"]["input_required"], session["calls"]["cancelled"]) == (1, 1)
    assert faults(session) == {}


def messages(exchanges: list[Any]) -> list[Any]:
    """The messages of exchanges, in one order."""
    return sorted(one.messages() for one in exchanges)
