"""Lines come out as they went in, whatever the chunks."""

import pytest

from mcpsniff.wire.lines import Line, LineFramer


def seen(lines: list[Line]) -> list[tuple[bytes, int, float, float]]:
    return [(line.payload + line.eol, line.size, line.t0, line.t) for line in lines]


def test_a_chunk_of_whole_lines_gives_each_with_its_line_end():
    """Three lines that arrive at once have one time, and only LF ends them."""
    assert seen(LineFramer().feed(b"a\nb\rc\r\n\n", 1.5)) == [
        (b"a\n", 2, 1.5, 1.5),
        (b"b\rc\r\n", 5, 1.5, 1.5),
        (b"\n", 1, 1.5, 1.5),
    ]


def test_a_line_in_pieces_has_the_times_of_its_first_and_last_byte():
    """`t0` is when the first piece came, `t` when the line feed came."""
    framer = LineFramer()
    assert framer.feed(b"one", 1.0) == []
    assert framer.feed(b" two", 2.0) == []
    assert seen(framer.feed(b" three\nfour", 3.0)) == [(b"one two three\n", 14, 1.0, 3.0)]
    assert seen(framer.feed(b"\n", 4.0)) == [(b"four\n", 5, 3.0, 4.0)]


def test_a_crlf_cut_between_its_bytes_is_one_line_end():
    """The CR of one chunk and the LF of the next belong together."""
    framer = LineFramer()
    framer.feed(b"x\r", 1.0)
    (line,) = framer.feed(b"\n", 2.0)
    assert (line.payload, line.eol, line.cut) == (b"x", b"\r\n", False)


def test_the_last_line_without_a_line_end_is_flushed_once():
    """What is left at the end of the stream is a line too; after it there is nothing."""
    framer = LineFramer()
    framer.feed(b"a\nrest\r", 1.0)
    line = framer.flush()
    assert line is not None
    assert (line.payload, line.eol, line.size, line.t) == (b"rest\r", b"", 5, 1.0)
    assert framer.flush() is None


def test_an_empty_stream_has_no_line():
    """No bytes, no line."""
    framer = LineFramer()
    assert framer.feed(b"", 1.0) == []
    assert framer.flush() is None


@pytest.mark.parametrize("chunk", [1, 2, 3, 100], ids=lambda n: f"chunks of {n}")
def test_a_limit_keeps_the_start_and_the_line_end(chunk):
    """With a limit of 4 a longer payload loses its rest, one of 4 bytes nothing; sizes stay those of the wire."""
    data = b"abcd\nabcd\r\nabcde\nabcdef\r\nabcd\r\r\nabcdefgh"
    framer = LineFramer(limit=4)
    lines: list[Line] = []
    for start in range(0, len(data), chunk):
        lines += framer.feed(data[start : start + chunk], 0.0)
    last = framer.flush()
    assert last is not None
    assert [(line.payload, line.eol, line.size, line.cut) for line in [*lines, last]] == [
        (b"abcd", b"\n", 5, False),
        (b"abcd", b"\r\n", 6, False),
        (b"abcd", b"\n", 6, True),
        (b"abcd", b"\r\n", 8, True),
        (b"abcd", b"\r\n", 7, True),
        (b"abcd", b"", 8, True),
    ]


def test_a_limit_bounds_what_is_held_of_an_endless_line():
    """However much of one line comes, no more than the limit and a line end of it is held."""
    framer = LineFramer(limit=10)
    for _ in range(1000):
        framer.feed(b"x" * 1000, 0.0)
    line = framer.flush()
    assert line is not None
    assert (line.payload, line.size) == (b"x" * 10, 1_000_000)
