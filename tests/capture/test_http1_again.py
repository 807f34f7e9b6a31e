"""A head that was read before is not read again, and what is read is what h11 would have read."""

from itertools import pairwise

import h11
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpsniff.capture import http1_reader
from mcpsniff.capture.http1_again import known, once
from mcpsniff.capture.http1_reader import MessageReader

POST = h11.Request(method="POST", target="/", headers=[("host", "a")])
ASKED = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
ANSWERED = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"
LINES = st.sampled_from([
    *(b"Host: a", b"Content-Length: 3", b"content-length: 3, 3", b"Content-Length: 4", b"Content-Length : 3"),
    *(b"Content-Length: -3", b"X: content-length", b" folded", b"Transfer-Encoding: chunked", b"Upgrade: h2c"),
    *(b"Expect: 100-continue", b"Connection: close", b"", b"\n", b"\x00"),
])  # fmt: skip
STARTS = {
    h11.SERVER: [b"POST / HTTP/1.1", b"POST / HTTP/1.0", b"GET / HTTP/1.1", b"CONNECT a:1 HTTP/1.1", b"POST /"],
    h11.CLIENT: [b"HTTP/1.1 200 OK", b"HTTP/1.0 404 ", b"HTTP/1.1 204 -", b"HTTP/1.1 304 -", b"HTTP/1.1 103 -", b"-"],
}
BODY = b"abc0\r\n\r\n" + ASKED


def sent(role):
    """Heads of all kinds, a body behind each."""
    heads = st.tuples(st.sampled_from(STARTS[role]), st.lists(LINES, max_size=4))
    return heads.map(lambda head: b"\r\n".join([head[0], b"Host: a", *head[1], b"", BODY]))


def read(role, chunks):
    """All that a reader says of chunks."""
    reader, said = MessageReader(role), []
    reader.next_message(POST if role is h11.CLIENT else None)
    for data in chunks:
        reader.feed(data)
        try:
            while (event := reader.event()) is not None:
                said.append((event, reader.head, reader.in_head, reader.rest, reader.body_on_wire, reader.may_switch))
                if type(event) is h11.EndOfMessage:
                    if reader.may_switch:
                        return said
                    reader.next_message(POST if role is h11.CLIENT else None)
        except h11.RemoteProtocolError as error:
            return [*said, str(error)]
    return said


@pytest.mark.parametrize("role", [h11.SERVER, h11.CLIENT])
@given(data=st.data())
@settings(max_examples=300)
def test_what_is_read_is_what_h11_reads(role, data):
    """Of two messages behind each other, cut anywhere: every event, every size, every refusal."""
    stream = data.draw(sent(role)) * 2
    cuts = [0, *sorted(data.draw(st.sets(st.integers(1, len(stream) - 1), max_size=3))), len(stream)]
    chunks = [stream[a:b] for a, b in pairwise(cuts)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(http1_reader, "known", lambda role, data: None)
        by_h11 = read(role, chunks)
    assert read(role, chunks) == by_h11


@pytest.mark.parametrize(("role", "message"), [(h11.SERVER, ASKED), (h11.CLIENT, ANSWERED)])
def test_a_head_is_read_once(role, message, monkeypatch):
    """The second message with it needs no h11, whatever its body."""
    assert len(read(role, [message])) == 3
    monkeypatch.setattr(h11, "Connection", None)
    assert [event for event, *_ in read(role, [message[:-2], b"yz"])][1:] == [
        h11.Data(data=b"a"),
        h11.Data(data=b"yz"),
        h11.EndOfMessage(),
    ]


@pytest.mark.parametrize(
    ("role", "message"),
    [
        (h11.SERVER, ASKED.replace(b"POST", b"GET")),
        (h11.SERVER, ASKED.replace(b"Host: a", b"Host: a\r\nUpgrade: h2c")),
        (h11.SERVER, ASKED.replace(b"Host: a", b"Host: a\r\nTransfer-Encoding: chunked")),
        (h11.SERVER, ASKED.replace(b"Host: a", b"X: " + b"a" * 5000)),
        (h11.SERVER, ASKED[:30]),
        (h11.CLIENT, ANSWERED.replace(b"200", b"204")),
        (h11.CLIENT, ANSWERED.replace(b"200", b"103")),
    ],
)
def test_what_more_than_a_length_ends_is_left_to_h11(role, message):
    """Other methods, upgrades, chunks, answers without a body; heads that are too long, or have not come whole."""
    assert known(role, message) is None


def test_only_small_heads_are_remembered():
    """The others are read each time."""
    heads = []
    read = once(lambda head: heads.append(head))
    for head in (b"small", b"small", b"large" * 1000, b"large" * 1000):
        read(head)
    assert heads == [b"small", b"large" * 1000, b"large" * 1000]
