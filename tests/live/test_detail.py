"""One row in full."""

from mcpsniff.live import detail as details
from mcpsniff.live.board import Board
from mcpsniff.live.detail import detail


def entries(follower, folder):
    """The entries of all captures of a folder, by record."""
    board = Board()
    for event in follower(folder).events():
        board.take(event)
    return {entry.row.seq: entry for entry in board.chosen if entry.row.kind not in ("session", "era")}


def test_findings_come_before_the_body(tmp_path, growing, follower):
    """Rule, title, sentence, who broke it; then the bytes, escaped."""
    growing(tmp_path / "a.jsonl").noise("\x1b[2Jhello")
    text = detail(entries(follower, tmp_path)[1]).plain
    assert text.startswith("✗ stdout-noise  ")
    assert "  by the server\n" in text
    assert text.endswith("\n\\x1b[2Jhello\n\n")


def test_message_is_indented(tmp_path, growing, follower):
    """One member in a line."""
    growing(tmp_path / "a.jsonl").ping(1)
    assert '  "method": "ping"\n' in detail(entries(follower, tmp_path)[1]).plain


def test_long_message_is_cut(tmp_path, growing, follower, monkeypatch):
    """With an ellipsis where something is left out."""
    monkeypatch.setattr(details, "LINES", 3)
    growing(tmp_path / "a.jsonl").ping(1)
    text = detail(entries(follower, tmp_path)[1]).plain
    assert text.endswith("…\n")


def test_very_large_message_is_shown_in_part(tmp_path, growing, follower):
    """Its size, and its beginning, without a line for each member."""
    growing(tmp_path / "a.jsonl").noise("x" * 2_000_000)
    text = detail(entries(follower, tmp_path)[1]).plain
    assert "\n2,000,000 bytes, of which the first:\nxxx" in text
    assert len(text) < 21_000
