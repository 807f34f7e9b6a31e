"""Framing: any bytes, any cut into chunks."""

from hypothesis import given
from hypothesis import strategies as st

from mcpsniff.wire.lines import Line, LineFramer

STREAM = st.lists(st.sampled_from([b"\n", b"\r\n", b"\r", b"a", b"bcd", b"\xff", b""]), max_size=40).map(b"".join)
CUTS = st.lists(st.integers(min_value=0, max_value=80), max_size=10)


def chunks(data: bytes, cuts: list[int]) -> list[bytes]:
    ends = [*sorted(cuts), len(data)]
    return [data[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def framed(pieces: list[bytes], limit: int | None) -> list[Line]:
    framer = LineFramer(limit)
    lines = [line for t, piece in enumerate(pieces) for line in framer.feed(piece, float(t))]
    last = framer.flush()
    return lines if last is None else [*lines, last]


@given(STREAM, CUTS)
def test_lines_joined_are_the_stream(data, cuts):
    """Nothing is lost, doubled or moved, and a line holds one LF at most, at its end."""
    lines = framed(chunks(data, cuts), None)
    assert b"".join(line.payload + line.eol for line in lines) == data
    assert all(b"\n" not in line.payload and line.size == len(line.payload + line.eol) > 0 for line in lines)
    assert all(line.eol.endswith(b"\n") for line in lines[:-1])


@given(STREAM, CUTS, st.none() | st.integers(min_value=0, max_value=6))
def test_every_cut_gives_the_same_lines(data, cuts, limit):
    """Where the chunks end changes times only, with a limit and without."""
    whole = framed([data], limit)
    cut = framed(chunks(data, cuts), limit)
    assert [(line.payload, line.eol, line.size) for line in cut] == [
        (line.payload, line.eol, line.size) for line in whole
    ]


@given(STREAM, CUTS, st.integers(min_value=0, max_value=6))
def test_a_limit_keeps_starts_and_line_ends(data, cuts, limit):
    """Each line is the unlimited one with its payload cut."""
    for short, full in zip(framed(chunks(data, cuts), limit), framed([data], None), strict=True):
        assert (short.payload, short.eol, short.size) == (full.payload[:limit], full.eol, full.size)
        assert short.cut is (len(full.payload) > limit)


@given(STREAM, CUTS)
def test_times_are_those_of_the_first_and_last_byte(data, cuts):
    """A byte has the time of its chunk."""
    pieces = chunks(data, cuts)
    times = [float(t) for t, piece in enumerate(pieces) for _ in piece]
    at = 0
    for line in framed(pieces, None):
        assert (line.t0, line.t) == (times[at], times[at + line.size - 1])
        at += line.size


def test_work_is_linear_in_the_bytes():
    """A line of four megabytes in chunks of four kilobytes: each piece is kept as it came, once."""

    class Pieces(list):
        kept = 0

        def append(self, piece):
            Pieces.kept += len(piece)
            super().append(piece)

    framer = LineFramer()
    framer._tail = Pieces()
    for _ in range(1024):
        framer.feed(b"x" * 4096, 0.0)
    assert Pieces.kept == 4096 * 1024
    (line,) = framer.feed(b"\n", 1.0)
    assert (line.size, len(line.payload)) == (4096 * 1024 + 1, 4096 * 1024)
