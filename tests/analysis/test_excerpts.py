"""The beginning of the record that a finding blames."""

from mcpsniff.analysis.excerpts import KEPT, LENGTH, Excerpts
from mcpsniff.capture import records as rec


def stderr(seq, raw):
    """A record with this text."""
    return rec.Stderr(seq=seq, t=0.0, size=len(raw) + 1, raw=raw)


def test_long_records_are_cut_and_hostile_ones_escaped():
    """At most 200 bytes are kept, and nothing that could drive a terminal."""
    excerpts = Excerpts()
    excerpts.note(stderr(1, "x" * 500))
    excerpts.note(stderr(2, "\x1b[2J\u202eevil\x9b"))
    assert excerpts.of(1) == "x" * LENGTH + "…"
    assert excerpts.of(2) == r"\x1b[2J\u202eevil\x9b"


def test_a_character_is_not_cut_in_two():
    """The cut falls before the character that does not fit."""
    excerpts = Excerpts()
    excerpts.note(stderr(1, "x" * (LENGTH - 1) + "€" * 9))
    assert excerpts.of(1) == "x" * (LENGTH - 1) + "…"


def test_the_oldest_are_forgotten():
    """Memory is bounded; a forgotten record has an empty excerpt."""
    excerpts = Excerpts()
    for seq in range(KEPT + 1):
        excerpts.note(stderr(seq, f"line {seq}"))
    assert (excerpts.of(0), excerpts.of(1)) == ("", "line 1")


def test_records_without_a_body_say_what_they_are():
    """A request shows its line, a response its status, a process its end."""
    excerpts = Excerpts()
    excerpts.note(rec.Request(seq=1, t=0.0, x="x", method="POST", url="http://h/mcp"))
    excerpts.note(rec.Response(seq=2, t=0.0, x="x", status=400))
    excerpts.note(rec.Exit(seq=3, t=0.0, signal="SIGKILL"))
    excerpts.note(rec.Close(seq=4, t=0.0, x="x", by="client", why="closed"))
    shown = [excerpts.of(seq) for seq in range(1, 5)]
    assert shown == ["POST http://h/mcp", "HTTP status 400", "ended by SIGKILL", "closed by client (closed)"]
