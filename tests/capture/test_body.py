"""Bodies and what is recorded of them."""

import gzip

import pytest

from mcpsniff.capture.body import EventStream, event, whole
from mcpsniff.wire.sse import SseBlock

TEXT = b'{"jsonrpc":"2.0","id":1,"result":{}}' * 100


def block(*lines):
    made = SseBlock(1.0)
    for line in lines:
        made.take(line)
        made.count(len(line) + 1, 2.0)
    return made


def test_empty_body_has_no_entry():
    """Nothing was sent, nothing is recorded."""
    assert list(whole({}, 1.0, 2.0, "gzip", b"")) == []


def test_identity_is_no_encoding():
    """The name that says "as it is" is taken so."""
    (entry,) = whole({"x": "x1"}, 1.0, 2.0, "identity", TEXT)
    assert (entry.t0, entry.t, entry.fields, entry.body, entry.size) == (1.0, 2.0, {"x": "x1"}, TEXT, len(TEXT))


def test_encoded_body_that_was_cut():
    """What could be decoded is the body; both sizes are those of what came."""
    sent = gzip.compress(TEXT)[:-20]
    (entry,) = whole({}, 1.0, 2.0, "gzip", sent)
    assert TEXT.startswith(entry.body)
    assert (entry.size, entry.fields) == (len(entry.body), {"wire_size": len(sent)})


def test_encoded_body_that_was_cut_in_its_first_bytes():
    """Nothing could be decoded, so the bytes themselves are kept."""
    (entry,) = whole({}, 1.0, 2.0, "gzip", gzip.compress(TEXT)[:5])
    assert (entry.body, entry.fields) == (gzip.compress(TEXT)[:5], {"encoding": "gzip"})


def test_stream_that_breaks_its_encoding():
    """Events up to there are given; from there on the pieces are not understood."""
    stream = EventStream("gzip")
    assert [b.data for b in stream.feed(1.0, gzip.compress(b"data: 1\n\n"))] == [b"1"]
    assert not stream.undecodable
    assert stream.feed(2.0, b"no gzip") == []
    assert stream.undecodable


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        ([b"data: {}"], None),
        ([b"event: message", b"data: {}"], None),
        ([b"event: other", b"data: {}"], None),
        ([b"event: endpoint", b"data: /m"], "sse"),
        ([b"data:"], "sse"),
        ([b"id: 1"], "sse"),
        ([b": ping"], "sse"),
    ],
)
def test_what_stands_where_a_message_belongs(lines, kind):
    """Data does, whatever the event is called; not the address of the old transport, nor an event without data."""
    assert event("x1", block(*lines)).type == kind
