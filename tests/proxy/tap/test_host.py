"""The Host of each request is the server's own, and all else passes as it came."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpsniff.proxy.tap.host import HostRewriter

BODY = b"Host: not a header\r\n\r\n"
FIRST = b"POST /mcp HTTP/1.1\r\nX-A: 1\r\nhost:me:1 \r\nContent-Length: 22\r\n\r\n" + BODY
SECOND = b"POST / HTTP/1.1\r\nHost: me\r\nTransfer-Encoding: chunked\r\n\r\n5;x\r\nHost:\r\n0\r\nA: b\r\n\r\n"
SENT = FIRST + SECOND + FIRST
WANTED = SENT.replace(b"host:me:1 \r\n", b"host:srv:80\r\n").replace(b"Host: me\r\n", b"Host: srv:80\r\n")


def passed(*pieces):
    rewriter = HostRewriter("srv:80")
    return [rewriter.feed(piece) for piece in pieces]


@given(st.sets(st.integers(1, len(SENT) - 1)))
def test_any_chunking_gives_the_same_bytes(places):
    """Heads, bodies, chunks and trailers of three requests on one connection."""
    cuts = [0, *sorted(places), len(SENT)]
    assert b"".join(passed(*(SENT[a:b] for a, b in pairwise(cuts)))) == WANTED


def test_bodies_are_not_held_back():
    """What follows a head passes as soon as it is there."""
    assert passed(SECOND[:60], SECOND[60:62])[1] == SECOND[60:62]


@pytest.mark.parametrize(
    "sent",
    [
        [b"\x16\x03\x01\x00\r\n\r\n", b"Host: me\r\n\r\n"],
        [b"CONNECT a:1 HTTP/1.1\r\nX: 1\r\nHost: srv:80\r\n\r\n", b"GET / HTTP/1.1\r\nHost: me\r\n\r\n"],
    ],
)
def test_what_cannot_be_read_passes_as_it_is(sent):
    """No HTTP/1, or no longer."""
    assert passed(*sent) == sent


def test_a_head_that_is_cut_is_let_go_at_the_end():
    """Whatever it was going to be, the server gets it."""
    assert passed(FIRST[:30], b"") == [b"", FIRST[:30]]
