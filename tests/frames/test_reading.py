"""Captures read into frames."""

import glob

import pandas as pd
import pytest

from mcpsniff import frames
from mcpsniff.errors import McpsniffError
from mcpsniff.frames import calls, findings, messages, sessions, tools

CAPTURES = sorted(glob.glob("samples/captures/*/*.jsonl*"))
MODULES = {"calls": calls, "findings": findings, "messages": messages, "sessions": sessions, "tools": tools}


def test_sessions_are_numbered_through(before, after):
    """As in the report on both."""
    found = frames.read(before, after)
    assert found.sessions[["file", "session"]].values.tolist() == [[before, "s1"], [after, "s2"]]
    assert found.calls.groupby("session").size().to_dict() == {"s1": 5, "s2": 5}


@pytest.mark.parametrize("name", MODULES)
def test_no_capture_gives_the_columns(name):
    """With their types."""
    frame = getattr(frames.read(), name)
    import importlib

    columns = importlib.import_module(f"mcpsniff.frames.{name}").COLUMNS
    assert {column: str(dtype) for column, dtype in frame.dtypes.items()} == columns
    assert frame.empty


def test_what_is_no_capture_is_named(tmp_path):
    """By its path."""
    (path := tmp_path / "notes.txt").write_text("hello\n")
    with pytest.raises(McpsniffError, match=r"notes\.txt"):
        frames.read(str(path))


def test_frames_add_up_to_the_report():
    """Messages, calls by outcome, bytes a call and findings of all sample conversations, counted in another way."""
    found = frames.read(*CAPTURES)
    assert len(found.sessions) >= len(CAPTURES)
    mine = found.calls[(found.calls.method == "tools/call") & (found.calls.sender == "client")]
    for session in found.report.sessions:
        theirs = mine[mine.session == session["id"]]
        outcomes = theirs.outcome.value_counts().to_dict()
        keys = {"result": "results", "error": "errors", "tool_error": "tool_errors"}
        same = ("input_required", "cancelled", "unanswered")
        reported = {name: session["calls"][keys.get(name, name)] for name in (*keys, *same)}
        assert outcomes == {name: n for name, n in reported.items() if n}, session["id"]
        cost = (theirs.request_bytes + theirs.answer_bytes).mean()
        marginal = session["calls"]["bytes_per_call"]["marginal"]
        assert pd.isna(cost) if marginal is None else round(cost, 2) == marginal
        assert (found.messages.session == session["id"]).sum() == session["messages"]["total"]
        assert (found.findings.session == session["id"]).sum() == len(session["findings"])
