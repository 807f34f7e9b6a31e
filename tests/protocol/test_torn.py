"""Messages over several lines, and several on one."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpsniff.protocol.torn import BYTES, LINES, TornLines, looks_like_message, split_doubled


class Line:
    """A line as the engine holds it."""

    def __init__(self, data):
        self.data = data


def blocks(lines):
    """Gives the settled blocks of a stream: (lines, message or None)."""
    torn = TornLines()
    out = [block for line in lines for block in torn.feed(Line(line))]
    out += torn.flush()
    return [([line.data for line in held], joined) for held, joined in out]


def test_a_pretty_printed_message_is_joined():
    """Lines that make one message together are one block; line feeds become spaces."""
    lines = [b"{", b' "jsonrpc": "2.0",', b' "id": 1, "result": {}', b"}"]
    assert blocks(lines) == [(lines, b" ".join(lines))]


@pytest.mark.parametrize(
    "lines",
    [
        [b"hello", b"world"],
        [b"{", b"}"],  # an object, but no message
        [b"{", b"text"],
        [b'{"jsonrpc":"2.0",', b'"id":1'],
        [b"Traceback", b"{"],
    ],
)
def test_noise_comes_out_line_by_line(lines):
    """What makes no message is noise, in order and one by one."""
    assert blocks(lines) == [([line], None) for line in lines]


def test_blocks_are_bounded():
    """A block that never ends is given up after its cap, in lines and in bytes."""
    torn = TornLines()
    assert [list(torn.feed(Line(b"{"))) for _ in range(LINES)] == [[]] * LINES
    assert len(list(torn.feed(Line(b"{")))) == LINES + 1
    assert not torn.holding
    assert len(list(torn.feed(Line(b"{" * (BYTES + 1))))) == 1


@given(st.lists(st.sampled_from([b"{", b"}", b"[", b"]", b'"a":1', b'{"jsonrpc":"2.0"', b',"id":1}', b"x", b""])))
def test_no_line_is_lost_or_moved(lines):
    """Whatever comes, every line comes out once and in order, and a joined block is one message."""
    out = blocks(lines)
    assert [line for held, _ in out for line in held] == lines
    assert all(len(held) > 1 and looks_like_message(joined) for held, joined in out if joined is not None)


ONE, TWO = b'{"jsonrpc":"2.0","id":1,"result":{}}', b'{"jsonrpc":"2.0","method":"m"}'


@pytest.mark.parametrize(
    ("line", "pieces"),
    [
        (ONE + TWO, [ONE, TWO]),
        (ONE + b" " + TWO + b"\r", [ONE, TWO]),
        (ONE + ONE + TWO, [ONE, ONE, TWO]),
        (ONE, []),
        (ONE + b"x", []),
        (ONE + b"{}", []),
        (b"[1][2]", []),
        (ONE + b"\xff", []),
        (b"", []),
    ],
)
def test_split_doubled(line, pieces):
    """Only whole messages back to back are taken apart."""
    assert split_doubled(line) == pieces


@given(st.lists(st.dictionaries(st.text(), st.text(), max_size=2), min_size=2, max_size=4))
def test_split_gives_back_what_was_joined(bodies):
    """Any messages written without line breaks between them are found again."""
    pieces = [json.dumps({"jsonrpc": "2.0", "result": body}).encode() for body in bodies]
    assert split_doubled(b"".join(pieces)) == pieces
