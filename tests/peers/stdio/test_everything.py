"""npm's server-everything through wrap: another language, and a server that asks the client."""

import json
from collections.abc import Callable
from typing import Any

STEPS = [
    ["heard", "notifications/tools/list_changed"],  # it offers more once it knows the client
    ["list_tools"],
    ["call_tool", "echo", {"message": "hi"}],
    ["call_tool", "get-sum", {"a": 1, "b": 2}],
    ["watch", "trigger-long-running-operation", {"duration": 0.1, "steps": 2}],
    ["call_tool", "trigger-sampling-request", {"prompt": "think", "maxTokens": 10}],
    ["get_prompt", "args-prompt", {"city": "Bern"}],
    ["read_resource", "demo://resource/static/document/features.md"],
]


def test_a_node_server_talks_as_without_wrap(
    talk: Callable[..., Any],
    everything: list[str],
    report: Callable[..., Any],
    faults: Callable[[Any], dict[str, str]],
) -> None:
    """The dual client falls back to legacy in the process it probed, and the server's own requests are answered."""
    played = talk("py2", everything, mode="auto", steps=STEPS)
    assert played.through["steps"] == played.direct["steps"]
    assert played.recorded == played.streams
    said = [json.loads(line) for line in played.streams["server"].splitlines()]
    asked = {message["method"] for message in said if "method" in message and "id" in message}
    assert asked == {"roots/list", "sampling/createMessage"}

    (session,) = report(played.capture)
    assert (session["era"], session["client_era"], session["server_era"]) == ("legacy", "dual", "legacy")
    assert session["revision"] == "2025-11-25"
    assert session["round_trips"]["before_first_call"] == 2
    assert {side: session["messages"][side] for side in played.counts} == played.counts
    assert session["messages"]["stderr"] >= 1
    assert faults(session) == {}
