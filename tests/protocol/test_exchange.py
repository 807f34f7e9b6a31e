"""What an HTTP exchange tells by itself: headers, URL, media type, bodies, times."""

import pytest

from mcpsniff.protocol.exchange import HttpExchange, endpoint_of, header, header_values, joined_url
from mcpsniff.protocol.message import Message


@pytest.mark.parametrize(
    ("url", "endpoint"),
    [
        ("http://h/mcp?a=1#b", "http://h/mcp"),
        ("HTTP://H:80/MCP/", "http://h:80/MCP"),
        ("http://h/", "http://h"),
        ("http://[bad/mcp", "://http://[bad/mcp"),
        ("", "://"),
    ],
)
def test_endpoints_ignore_query_case_of_the_host_and_a_last_slash(url, endpoint):
    """A redirect often differs by the slash alone; what is no URL is its own endpoint."""
    assert endpoint_of(url) == endpoint


def test_references_are_joined():
    """Announced URLs are absolute or relative; what is none stays as it is."""
    assert joined_url("http://h/sse", "/m?s=1") == "http://h/m?s=1"
    assert joined_url("http://h/sse", "http://[bad") == "http://[bad"


def test_headers_compare_without_case_and_join_repeats():
    """White space around a value is not part of it; repeats are joined by a comma."""
    headers = [("Accept", " a "), ("X", "1"), ("ACCEPT", "\tb")]
    assert header(headers, "accept") == "a, b"
    assert header_values(headers, "x") == ["1"]
    assert header(headers, "y") is None


def test_batches_count_singly():
    """The requests in a body, those in an array included."""
    exchange = HttpExchange("x", 1, 0.0, "POST", "http://h/mcp", [])
    body = b'[{"id":1,"method":"a"},{"method":"n"},{"id":2,"method":"b"}]'
    exchange.messages.append(Message(body, "client", 2, 0.0, len(body)))
    assert [part.method for part in exchange.parts] == ["a", "n", "b"]
    assert [part.method for part in exchange.requests] == ["a", "b"]


@pytest.mark.parametrize(
    ("status", "refused", "failed"), [(200, 0, 0), (307, 1, 0), (400, 0, 1), (404, 1, 1), (503, 1, 1)]
)
def test_statuses_that_refuse(status, refused, failed):
    """What the transport refuses was never processed (trap T8); 400 may come from the server itself."""
    exchange = HttpExchange("x", 1, 0.0, "POST", "http://h/mcp", [])
    exchange.status = status
    assert (exchange.refused, exchange.failed) == (bool(refused), bool(failed))


def test_each_record_has_its_time():
    """Request, response and close; any other record counts from the request."""
    exchange = HttpExchange("x", 1, 0.5, "POST", "http://h/mcp", [])
    exchange.reply_seq, exchange.reply_at = 3, 1.5
    exchange.closed_seq, exchange.closed_at = 5, 2.5
    assert [exchange.time_of(seq) for seq in (1, 3, 5, 9)] == [0.5, 1.5, 2.5, 0.5]
