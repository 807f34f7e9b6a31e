"""Blocks cut out of event streams by the WHATWG rules, and the same however the stream arrives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpsniff.wire.sse import SseBlock, SseFramer


def blocks(stream: bytes, cuts: list[int] | None = None) -> list[SseBlock]:
    framer, out, start = SseFramer(), [], 0
    for t, cut in enumerate([*sorted(cuts or []), len(stream)]):
        out += framer.feed(stream[start:cut], float(t))
        start = cut
    last = framer.flush()
    return out if last is None else [*out, last]


def shape(block: SseBlock) -> tuple[object, ...]:
    return (
        block.size, block.data, block.event, block.id, block.retry, block.comment, block.fields, block.unfinished,
    )  # fmt: skip


def test_one_event_with_every_field() -> None:
    """Every field is kept as sent, one space after the colon is taken off, and the size includes the blank line."""
    (block,) = blocks(b"event: message\nid: 7\nretry: 3000\ndata:  {}\n\n")
    assert shape(block) == (44, b" {}", "message", "7", 3000, None, [], False)


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_three_line_ends(end: bytes) -> None:
    """CR, LF and CRLF end lines alike; only the size tells them apart."""
    first, second = blocks(end.join([b"data: a", b"data: b", b"", b": ping", b"", b""]))
    assert (first.data, second.comment) == (b"a\nb", "ping")
    assert (first.size, second.size) == (14 + 3 * len(end), 6 + 2 * len(end))


def test_cr_alone_gives_the_event_at_once() -> None:
    """A stream that ends lines with CR alone is not held back to wait for an LF."""
    framer = SseFramer()
    assert [b.data for b in framer.feed(b"data: 1\r\r", 1.0)] == [b"1"]


def test_crlf_split_inside_the_blank_line() -> None:
    """The LF that arrives later is still of the block that its CR ended, and gives the time of the last byte."""
    framer = SseFramer()
    assert framer.feed(b"data: 1\r\n\r", 1.0) == []
    (block,) = framer.feed(b"\ndata: 2\r\n\r\n", 2.0)[:1]
    assert (block.size, block.data, block.t0, block.t) == (11, b"1", 1.0, 2.0)


def test_block_that_waits_for_its_lf_is_whole_at_the_end() -> None:
    """A stream that ends after the CR of the blank line has ended the block."""
    (block,) = blocks(b"data: 1\r\n\r")
    assert (block.unfinished, block.size) == (False, 10)


@pytest.mark.parametrize(
    ("stream", "data"),
    [
        (b"id: 1\n\n", None),
        (b"data\n\n", b""),
        (b"data:\n\n", b""),
        (b"data:\ndata:\n\n", b"\n"),
        (b"data:x:y\n\n", b"x:y"),
        (b"data : x\n\n", None),
    ],
)
def test_no_data_line_differs_from_an_empty_one(stream: bytes, data: bytes | None) -> None:
    """A priming event (empty data line) can be told from a block without data."""
    assert blocks(stream)[0].data == data


def test_comments_and_unknown_fields_are_kept() -> None:
    """A comment keeps its text, an unknown name is listed, a line of a colon alone is an empty comment."""
    (block,) = blocks(b": ping - 1\n:\nfoo: bar\nDATA: x\n\n")
    assert (block.comment, block.fields, block.data) == ("ping - 1\n", ["foo", "DATA"], None)


@pytest.mark.parametrize("value", ["abc", "-1", "1.5", "", "³", "9" * 5000])
def test_retry_that_is_no_number_is_kept_as_text(value: str) -> None:
    """Only ASCII digits are a waiting time."""
    assert blocks(f"retry: {value}\n\n".encode())[0].retry == value


@pytest.mark.parametrize("cut", range(8))
def test_byte_order_mark_at_the_start_is_no_part_of_the_first_field(cut: int) -> None:
    """It is counted, not read; a second one is text."""
    first, second = blocks(b"\xef\xbb\xbfdata: 1\n\n\xef\xbb\xbfdata: 2\n\n", [cut])
    assert (first.data, first.size) == (b"1", 12)
    assert (second.data, second.fields) == (None, ["\ufeffdata"])


def test_end_inside_a_block() -> None:
    """What was read of it is given, marked as unfinished, the open line included."""
    whole, rest = blocks(b'data: 1\n\nevent: message\ndata: {"js')
    assert (whole.unfinished, rest.unfinished) == (False, True)
    assert (rest.event, rest.data, rest.size) == ("message", b'{"js', 25)


def test_blank_lines_alone_are_counted_each() -> None:
    """A blank line more than needed is a block without fields, not a loss."""
    assert [(b.size, b.data) for b in blocks(b"\n\ndata: 1\n\n\r\n")] == [
        (1, None),
        (1, None),
        (9, b"1"),
        (1, None),
        (1, None),
    ]


streams = st.lists(
    st.sampled_from([b"\r", b"\n", b"\r\n", b"\n\n", b"data", b": ", b"data: x", b"id:1", b"\xef\xbb\xbf", b"\xff"])
).map(b"".join)


@given(streams, st.lists(st.integers(0, 40)))
def test_any_cut_gives_the_same_blocks(stream: bytes, cuts: list[int]) -> None:
    """Blocks and their sizes do not depend on how the bytes arrive, and no byte is lost."""
    cut = blocks(stream, [min(c, len(stream)) for c in cuts])
    assert [shape(b) for b in cut] == [shape(b) for b in blocks(stream)]
    assert sum(b.size for b in cut) == len(stream)
