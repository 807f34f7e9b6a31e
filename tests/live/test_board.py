"""What a screen shows, without a screen: rows, the filter's choice, findings, counts."""

import pytest

from mcpsniff.live import board as boards
from mcpsniff.live.board import Board
from mcpsniff.query import QueryError


def settled(board, events):
    """The board after some events."""
    for event in events:
        board.take(event)
    board.settle()
    return board


def records(board):
    """The records of the rows that are chosen, without changes."""
    return [entry.row.seq for entry in board.chosen if entry.row.kind not in ("session", "era")]


def test_rows_findings_and_captures_are_counted(tmp_path, growing, follower):
    """One capture that has ended, four rows and the changes, one finding of severity error."""
    capture = growing(tmp_path / "a.jsonl")
    capture.ping(1)
    capture.noise("Starting")
    capture.end()
    board = settled(Board(), follower(tmp_path).events())
    assert records(board) == [1, 2, 3]
    assert (board.total, board.severities["error"]) == (len(board.chosen), 1)
    assert [noted.pin.rule for noted in board.findings] == ["stdout-noise"]
    assert (list(board.captures.values()), board.ended) == ([str(capture.path)], {"c"})
    assert board.place(board.findings[0]) == board.total - 1


def test_filter_chooses_what_is_there_and_what_comes(tmp_path, growing, follower):
    """A wrong one is refused and leaves the one before."""
    capture = growing(tmp_path / "a.jsonl")
    capture.ping(1)
    one = follower(tmp_path)
    board = settled(Board("kind=result"), one.events())
    assert records(board) == [2]
    board.choose("kind=request")
    capture.ping(2)
    assert records(settled(board, one.events())) == [1, 3]
    with pytest.raises(QueryError):
        board.choose("foo=1")
    assert (board.filter, records(board)) == ("kind=request", [1, 3])


def test_row_is_chosen_when_its_finding_comes(tmp_path, follower, sample):
    """Of the rows with findings, that of a request which is never answered comes at the end."""
    (tmp_path / "a.jsonl").write_bytes(sample("unanswered-request/bad-2025-06-18-two-of-them", ended=False))
    one = follower(tmp_path)
    board = settled(Board("rule:*"), one.events())
    assert records(board) == []
    assert records(settled(board, one.finish())) == [4, 5]


def test_withdrawn_finding_is_gone(tmp_path, follower, sample):
    """The count goes down again, and the list is without it."""
    (tmp_path / "a.jsonl").write_bytes(sample("http-already-initialized/good-2025-06-18"))
    board = Board()
    most = 0
    for event in follower(tmp_path).events():
        board.take(event)
        most = max(most, sum(board.severities.values()))
    assert (most, sum(board.severities.values()), len(board.findings)) == (3, 2, 2)


def test_oldest_rows_are_forgotten_and_counted(tmp_path, growing, follower, monkeypatch):
    """Beyond what is kept, and a tenth more, the latest stay."""
    monkeypatch.setattr(boards, "ROWS", 10)
    capture = growing(tmp_path / "a.jsonl")
    for id_ in range(20):
        capture.ping(id_)
    board = settled(Board(), follower(tmp_path).events())
    assert records(board) == list(range(31, 41))
    assert board.dropped == board.total - 10


def test_what_is_no_capture_is_noted(tmp_path, follower):
    """With the sentence."""
    (tmp_path / "x.jsonl").write_text("{}\n")
    board = settled(Board(), follower(tmp_path).events())
    assert "no mcpsniff capture" in board.refused[0]
