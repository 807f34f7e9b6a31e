"""What finds no room is lost connection by connection, and each goes on with a new request."""

import os

import pytest

from mcpsniff.proxy.tap.feed import CLIENT, CLIENT_EOF, END, GAP, SERVER, Feed, kind, parts
from mcpsniff.relay.channel import open_channel
from mcpsniff.relay.intake import frames

CALL = b"POST /mcp HTTP/1.1\r\n" + b"x" * 480
REST = b"y" * 500


@pytest.fixture
def small(small_channel):
    """A feed with room for eight chunks and some control frames, and the frames that come out."""
    source, target, memory = open_channel()
    yield Feed(target, memory, 0), frames(source, memory)
    os.close(source)


def taken(out, count):
    return [(*parts(kind), payload) for kind, _, payload in (next(out) for _ in range(count))]


def test_kinds():
    """Number and meaning come back as they were given."""
    assert parts(kind(70_000_000, GAP)) == (70_000_000, GAP)
    assert parts(kind(0, END)) == (0, END)


def test_the_rest_of_a_connection_is_lost_and_told(small):
    """Its bytes are counted up to its next event; the other connection loses only its own."""
    feed, out = small
    for _ in range(8):
        feed.chunk(kind(1, CLIENT), REST)
    feed.chunk(kind(1, SERVER), REST)
    feed.chunk(kind(2, CLIENT), CALL)
    assert len(taken(out, 8)) == 8
    feed.chunk(kind(1, SERVER), REST)  # there is room again, but it would stand in the middle of something
    feed.tell(kind(1, CLIENT_EOF))
    feed.tell(kind(0, END))
    feed.close(5)
    assert taken(out, 4) == [(1, GAP, b"1000"), (1, CLIENT_EOF, b""), (2, GAP, b"500"), (0, END, b"")]


def test_a_connection_goes_on_with_a_request(small):
    """Once the recorder has caught up; a request that comes before is lost as well."""
    feed, out = small
    for _ in range(9):
        feed.chunk(kind(1, CLIENT), CALL)
    taken(out, 4)
    feed.chunk(kind(1, CLIENT), CALL)
    taken(out, 4)
    feed.chunk(kind(1, CLIENT), REST)
    feed.chunk(kind(1, CLIENT), CALL)
    feed.chunk(kind(1, SERVER), REST)
    feed.close(5)
    assert taken(out, 3) == [(1, GAP, b"1500"), (1, CLIENT, CALL), (1, SERVER, REST)]
