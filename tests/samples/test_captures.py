"""The recorded conversations: eras, counts and costs as they must be, and nothing to find in exemplary software."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mcpsniff.analysis.engine import analyze
from mcpsniff.analysis.report import build

CAPTURES = Path(__file__).parents[2] / "samples" / "captures"
NAMES = sorted(str(path.relative_to(CAPTURES)) for path in CAPTURES.rglob("*.jsonl"))

# What is wrong on purpose; everything else has nothing at warning or above.
FAULTS = {
    "faulty/confirm-stdio.jsonl": {"stdout-noise", "server-initiated-request", "retry-id-reused"},
    "faulty/confirm-http.jsonl": {"server-initiated-request", "retry-id-reused"},
    "modern/calls-minimal-stdio.jsonl": {"missing-meta-client-info"},
    "modern/calls-minimal-http.jsonl": {"missing-meta-client-info"},
}
# Where client and server do not meet there is no era.
ERAS = {
    "dual/modern-server": "modern",
    "dual/dual-server": "modern",
    "dual/modern-client": "modern",
    "dual/legacy-on-modern": "unknown",
    "dual/modern-on-legacy": "unknown",
    "dual": "legacy",
    "faulty": "modern",
    "legacy": "legacy",
    "modern": "modern",
}


def session(name: str) -> Mapping[str, Any]:
    """Returns the report on the one session of a capture."""
    (only,) = build([analyze(str(CAPTURES / name))]).sessions
    return only


def test_the_captures_are_there() -> None:
    """Both transports of what can be played on both."""
    assert len(NAMES) == 75


@pytest.mark.parametrize("name", NAMES)
def test_findings_and_era(name: str) -> None:
    """Only what is wrong on purpose is found, and the era is that of the conversation."""
    report = session(name)
    loud = {finding["rule"] for finding in report["findings"] if finding["severity"] != "info"}
    assert loud == FAULTS.get(name, set())
    conversation = name.rpartition("-")[0]
    assert report["era"] == ERAS.get(conversation, ERAS[conversation.partition("/")[0]])


@pytest.mark.parametrize("name", [name for name in NAMES if name not in FAULTS])
def test_advice_is_short(name: str) -> None:
    """Where nothing is wrong there are three pieces of advice at most."""
    assert sum(finding["count"] for finding in session(name)["findings"]) <= 3


@pytest.mark.parametrize("transport", ["stdio", "http"])
@pytest.mark.parametrize(
    ("name", "messages", "before"),
    [
        ("legacy/tour", 17, 2),
        ("modern/tour", 14, 1),
        ("modern/tour-direct", 12, 0),
        ("legacy/calls", 203, 1),
        ("modern/calls", 200, 0),
    ],
)
def test_messages_and_round_trips(name: str, messages: int, before: int, transport: str) -> None:
    """Counted messages, and the round trips before the first real request (the tour's ping is one)."""
    report = session(f"{name}-{transport}.jsonl")
    assert report["messages"]["total"] == messages
    assert report["round_trips"]["before_first_call"] == before


def test_what_a_call_costs() -> None:
    """Bytes a call over a hundred calls, and where the handshake has paid for itself."""
    report = build([analyze(str(CAPTURES / f"{era}/calls-stdio.jsonl")) for era in ("legacy", "modern")])
    legacy, modern = (one["calls"]["bytes_per_call"] for one in report.sessions)
    minimal = session("modern/calls-minimal-stdio.jsonl")["calls"]["bytes_per_call"]
    assert (legacy["marginal"], modern["marginal"], minimal["marginal"]) == (175.88, 484.84, 403.84)
    assert (legacy["fixed"], modern["fixed"]) == (447, 0)
    assert report.comparison is not None
    assert report.comparison["break_even_calls"] == pytest.approx(447 / (484.84 - 175.88), abs=0.01)


def test_the_envelope() -> None:
    """194 bytes on a request with params of its own, 205 on one without: 199.5 over the six uses of the tour."""
    assert session("modern/tour-direct-stdio.jsonl")["envelope"]["request_bytes"] == 199.5
    assert session("modern/calls-stdio.jsonl")["envelope"]["request_bytes"] == 194
    assert session("legacy/tour-stdio.jsonl")["envelope"]["request_bytes"] == 0


def test_colliding_tools_and_claims() -> None:
    """The library and the calendar share a name, and what tidy_up says of itself is the server's claim."""
    report = build(
        [analyze(str(CAPTURES / name)) for name in ("modern/tour-stdio.jsonl", "legacy/calendar-http.jsonl")]
    )
    assert [collision["name"] for collision in report.tool_collisions] == ["search"]
    tools = {tool["name"]: tool for tool in report.sessions[1]["tools"]}
    assert tools["tidy_up"]["claims"]["readOnlyHint"] is True


def test_what_the_server_holds() -> None:
    """Nothing in the stateless era; in the other one thing after the other, and nothing after the end."""
    legacy = session("legacy/memory-stdio.jsonl")["server_memory"]
    assert max(len(moment["holds"]) for moment in legacy) == 5
    assert legacy[-1]["holds"] == []
    assert all(moment["holds"] == [] for moment in session("modern/confirm-stdio.jsonl")["server_memory"])


@pytest.mark.parametrize(
    ("name", "fixed", "marginal"),
    [
        ("1.30-legacy", 543, 227.88),
        ("2.3-legacy", 524, 227.92),
        ("2.3-modern", 0, 536.88),
        ("2.3-minimal", 0, 455.84),
    ],
)
def test_sdks_cost_what_was_counted_by_hand(name: str, fixed: int, marginal: float) -> None:
    """100 calls of the Python SDK: fixed bytes, and bytes a call, as counted on the recorded lines."""
    cost = session(f"sdk/calls-python-{name}.jsonl.gz")["calls"]["bytes_per_call"]
    assert cost["fixed"] == fixed
    assert cost["marginal"] == pytest.approx(marginal)
