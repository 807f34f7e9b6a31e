"""Rows held back for their findings, and findings that come too late for that."""

from pathlib import Path

from mcpsniff.analysis import stream as streams
from mcpsniff.analysis.stream import Stream
from mcpsniff.capture.parts import read_parts

UNANSWERED = Path(__file__).parents[2] / "samples/rules/unanswered-request/bad-2025-06-18-two-of-them.jsonl"


def found_in(stream):
    """The rules that are pinned to each record when its row is given."""
    return {row.seq: [pin.rule for pin in row.findings] for row in stream if row.findings}


def test_stream_holds_rows_back_for_their_findings():
    """Within the rows held back, what only the end shows stands with its row, and nothing is late."""
    stream = Stream(read_parts(str(UNANSWERED)))
    assert found_in(stream) == {4: ["unanswered-request"], 5: ["unanswered-request"]}
    assert stream.late == []


def test_stream_tells_what_came_too_late(monkeypatch):
    """Beyond them the records are named."""
    monkeypatch.setattr(streams, "HELD", 1)
    monkeypatch.setattr(streams, "AT_ONCE", 1)
    stream = Stream(read_parts(str(UNANSWERED)))
    assert found_in(stream) == {}
    assert stream.late == [4, 5]
