"""Streams over their connections: lineage, the newest id, replays, the end."""

from mcpsniff.protocol.bounded import Drops
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.streams import SseEvent, Streams


def get(x, at, asked=None):
    headers = [("Accept", "text/event-stream")] + ([("Last-Event-ID", asked)] if asked else [])
    return HttpExchange(x, int(at * 100), at, "GET", "http://h/mcp", headers)


def event(exchange, at, id_=None, data=b"{}", **fields):
    return SseEvent(int(at * 100), at, exchange, data).set({"id": id_, **fields})


def send(streams, exchange, at, id_=None, data=b"{}", **fields):
    streams.of(exchange)
    streams.note(event(exchange, at, id_, data, **fields))


def test_a_resumed_stream_follows_the_connection_before():
    """A second resumption continues the first, not the connection that the stream began on."""
    streams = Streams(Drops())
    first = get("1", 0.0)
    send(streams, first, 0.1, "a", retry=500)
    second = get("2", 10.0, "a")
    send(streams, second, 10.1, "b", b"[]")
    third = streams.of(get("3", 20.0, "b"))
    assert third.follows is streams.of(second)
    assert third.origin is streams.of(first)
    assert streams.of(first).resumed is streams.of(second)
    assert (third.retry, third.wait) == (None, 500)


def test_an_unknown_id_resumes_nothing():
    """What was never delivered in sight has no stream."""
    stream = Streams(Drops()).of(get("1", 0.0, "zz"))
    assert (stream.follows, stream.asked, stream.newer) == (None, "zz", None)


def test_the_newest_id_that_the_client_must_have_had():
    """Events of the last second before the connection ended do not count."""
    streams = Streams(Drops())
    first = get("1", 0.0)
    for at, id_ in ((1.0, "a"), (2.0, "b"), (3.0, "c"), (9.5, "d")):
        send(streams, first, at, id_, id_.encode())
    first.closed_at = 10.0
    assert streams.of(get("2", 30.0, "a")).newer == "c"
    assert streams.of(get("3", 40.0, "c")).newer is None
    assert streams.of(get("4", 50.0, "d")).newer is None


def test_a_replay_is_the_same_id_with_the_same_data_on_a_resumed_stream():
    """Other data, or a stream that resumes nothing, is no replay."""
    streams = Streams(Drops())
    first = get("1", 0.0)
    send(streams, first, 0.1, "a", b"1")
    resumed = get("2", 1.0, "a")
    assert streams.is_replay(event(resumed, 1.1, "a", b"1"))
    assert not streams.is_replay(event(resumed, 1.1, "a", b"2"))
    assert not streams.is_replay(event(first, 1.1, "a", b"1"))


def test_blocks_without_data_name_no_event():
    """An id alone primes; the first event with data gives it its meaning."""
    streams = Streams(Drops())
    first = get("1", 0.0)
    send(streams, first, 0.1, "a", None)
    assert streams.known("a").data is None
    send(streams, first, 0.2, "a", b"1")
    assert streams.known("a").data == b"1"
    assert event(first, 0.1, "a", None).primes
    assert event(first, 0.1, "a", b"").primes
    assert not event(first, 0.1, "a", b"1").primes


def test_fields_of_any_type():
    """What a capture holds in place of id, type and retry never raises."""
    odd = event(get("1", 0.0), 0.1, None, event=7, retry=True)
    assert (odd.id, odd.type, odd.retry) == (None, None, None)
    assert event(get("1", 0.0), 0.1, None, retry="soon").retry == "soon"


def test_urls_are_announced_as_the_client_resolves_them():
    """The data of an endpoint event is joined with the URL of its stream."""
    streams = Streams(Drops())
    streams.announce(event(get("1", 0.0), 0.1, None, b" /messages?s=1\n"))
    assert streams.announced == [(10, "http://h/messages?s=1")]
