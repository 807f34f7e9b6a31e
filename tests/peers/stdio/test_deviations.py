"""What released servers do against the specification is reported while they do it: rule, severity, culprit, clause."""

from collections.abc import Callable
from typing import Any

import pytest

LEGACY, MODERN = "2025-11-25", "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": {"name": "hand", "version": "1.0.0"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
LOG = {"io.modelcontextprotocol/logLevel": "info"}
LISTS = [("tools/list", {}), ("prompts/list", {})]
UNKNOWN = [
    ("tools/call", {"name": "nope", "arguments": {}}),
    ("prompts/get", {"name": "nope"}),
    ("resources/read", {"uri": "note://nope"}),
]
CHATTY = ("tools/call", {"name": "chatty", "arguments": {}})
HANG = {"name": "hang", "arguments": {}}

TOOL = ("unknown-tool-not-protocol-error", "warning", "server/tools#error-handling")
PROMPT = ("prompt-or-completion-error-code", "warning", "server/prompts#error-handling")
RESOURCE = ("resource-not-found-wrong-code", "warning", "server/resources#error-handling")
LOGGED = ("capability-not-declared", "error", "basic/lifecycle#capability-negotiation")
LOGGED_MODERN = ("capability-not-declared", "error", "server/discover#discoverresult")
LEFT_OPEN = ("legacy-range-error-code", "info", "basic/index#error-codes")

Hand = Callable[[list[str]], Any]
Server = Callable[[str], list[str]]
Told = set[tuple[str, str, str]]  # rule, severity, clause


def told_of_server(session: Any) -> Told:
    """What is found on the server, with the clause below its revision."""
    pages = f"https://modelcontextprotocol.io/specification/{session['revision']}/"
    return {
        (one["rule"], one["severity"], one["spec"][0].removeprefix(pages))
        for one in session["findings"]
        if one["violator"] == "server"
    }


@pytest.fixture
def begun(hand: Hand) -> Callable[..., Any]:
    """Starts a server and shakes hands: `begun(command, revision, capabilities)`."""

    def begin(command: list[str], revision: str = LEGACY, capabilities: Any = None) -> Any:
        client = hand(command)
        params = {
            "protocolVersion": revision,
            "capabilities": capabilities or {},
            "clientInfo": {"name": "hand", "version": "1"},
        }
        client.say(id=0, method="initialize", params=params)
        client.say(method="notifications/initialized")
        return client

    return begin


@pytest.mark.parametrize(
    ("peers", "told"),
    [
        ("py1", {TOOL, PROMPT, RESOURCE, LOGGED}),
        ("py2", {TOOL, PROMPT, RESOURCE, LOGGED}),
        ("fastmcp4", {TOOL, RESOURCE}),
    ],
)
def test_legacy_answers(
    peers: str, told: Told, begun: Callable[..., Any], server: Server, report: Callable[..., Any]
) -> None:
    """Unknown tools as results, code 0 or -32602 for other unknown things, log messages without the capability."""
    client = begun(server(peers))
    for number, (method, params) in enumerate([*LISTS, *UNKNOWN, CHATTY], 1):
        client.say(id=number, method=method, params=params)
    client.leave()
    (session,) = report(client.capture)
    assert told_of_server(session) == told


@pytest.mark.parametrize(
    ("peers", "told"),
    [("py2", {TOOL, PROMPT, LOGGED_MODERN, LEFT_OPEN}), ("fastmcp4", {TOOL, LEFT_OPEN})],
)
def test_modern_answers(peers: str, told: Told, hand: Hand, server: Server, report: Callable[..., Any]) -> None:
    """The same in the modern era, and a code of the legacy range for what is open when the input ends."""
    client = hand(server(peers))
    for number, (method, params) in enumerate([("server/discover", {}), *LISTS, *UNKNOWN, CHATTY]):
        client.say(id=number, method=method, params={**params, "_meta": META | LOG})
    params = {**HANG, "_meta": META | {"progressToken": "p"}}
    client.say(id=99, method="tools/call", params=params, until="notifications/progress")
    client.leave()
    (session,) = report(client.capture)
    deprecated = ("deprecated-feature-used", "info", "deprecated#deprecated")
    assert told_of_server(session) - {deprecated} == told


def test_a_subscription_that_ends_with_an_error(hand: Hand, server: Server, report: Callable[..., Any]) -> None:
    """A listen that is open when the input ends gets an error in place of its result."""
    client = hand(server("py2"))
    client.say(id=1, method="server/discover", params={"_meta": META})
    params = {"notifications": {"toolsListChanged": True}, "_meta": META}
    client.say(id=2, method="subscriptions/listen", params=params, until="notifications/subscriptions/acknowledged")
    client.leave()
    (session,) = report(client.capture)
    assert told_of_server(session) == {LEFT_OPEN}


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26"])
def test_a_method_of_a_later_revision(
    revision: str, begun: Callable[..., Any], server: Server, report: Callable[..., Any]
) -> None:
    """The server asks the user where its revision has no such request, and sends what no such client knows."""
    client = begun(server("py1"), revision, {"elicitation": {}})
    client.say(id=1, method="tools/call", params={"name": "confirm", "arguments": {}})
    client.leave()
    (session,) = report(client.capture)
    assert told_of_server(session) == {
        ("method-not-in-revision", "warning", "basic/lifecycle#operation"),
        ("fields-from-later-revision", "info", "basic/lifecycle#version-negotiation"),
    }


def test_a_node_server(everything: list[str], begun: Callable[..., Any], report: Callable[..., Any]) -> None:
    """Unknown things, and a tool that runs only as a task but is called without one."""
    client = begun(everything)
    research = ("tools/call", {"name": "simulate-research-query", "arguments": {"topic": "frogs"}})
    for number, (method, params) in enumerate([*LISTS, *UNKNOWN, research], 1):
        client.say(id=number, method=method, params=params)
    client.leave()
    (session,) = report(client.capture)
    tasks = "basic/utilities/tasks#tool-level-negotiation"
    assert told_of_server(session) == {
        TOOL,
        RESOURCE,
        ("task-tool-required-not-rejected", "error", tasks),
    }
