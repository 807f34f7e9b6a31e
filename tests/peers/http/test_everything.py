"""npm's server-everything through mitmdump: line feeds, empty events, and a server that asks the client in mid-call."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

STEPS = [
    ["list_tools"],
    ["call_tool", "echo", {"message": "hi"}],
    ["watch", "trigger-long-running-operation", {"duration": 0.1, "steps": 2}],
    ["call_tool", "trigger-sampling-request", {"prompt": "think", "maxTokens": 10}],
    ["get_prompt", "args-prompt", {"city": "Bern"}],
]


@pytest.mark.parametrize(
    ("transport", "path", "seen"), [("streamableHttp", "/mcp", "http"), ("sse", "/sse", "http+sse")]
)
def test_a_node_server_talks_as_without_mitmdump(
    transport: str,
    path: str,
    seen: str,
    listening: Callable[[str], str],
    twice: Callable[..., Any],
    tmp_path: Path,
    complete: Callable[..., Any],
    report: Callable[..., Any],
    faults: Callable[[Any], dict[str, str]],
) -> None:
    """The sampling request reaches the client while the call is open, and everything of it is in the capture."""
    url = listening(transport) + path
    direct, through = twice("py2", url, url, mode="legacy", steps=STEPS)
    assert through["steps"] == direct["steps"]

    found = complete(tmp_path / "capture.jsonl")
    asked = [record["message"]["method"] for record in found if record.get("from") == "server" and is_request(record)]
    assert "sampling/createMessage" in asked
    (session,) = report(tmp_path / "capture.jsonl")
    assert (session["era"], session["client_era"], session["server_era"]) == ("legacy",) * 3
    assert session["transport"] == seen
    assert session["revision"] == "2025-11-25"
    assert session["round_trips"]["before_first_call"] == 1
    assert session["calls"]["count"] == session["calls"]["results"] == 3
    assert faults(session) == {}


def is_request(record: Any) -> bool:
    """Whether the record is a message that asks for an answer."""
    return {"id", "method"} <= set(record.get("message", {}))
