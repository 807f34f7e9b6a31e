"""What `mcpsniff proxy` accepts."""

import pytest

from mcpsniff import proxy
from mcpsniff.errors import McpsniffError
from mcpsniff.proxy import engine


@pytest.fixture
def modes(monkeypatch):
    """The modes that the engine is asked for; nothing is started."""
    asked = []

    async def serve(modes, write, redact):
        asked.append((modes, write, redact))
        return 0

    monkeypatch.setattr(engine, "serve", serve)
    return asked


def test_one_port_for_each_server(modes):
    """The first server is at the address given, the others at the ports after it; path and user stay out of it."""
    assert proxy.run(["http://localhost:8000/mcp", "https://user@example.com"], "127.0.0.1:9000", "x.jsonl") == 0
    assert modes == [
        (
            ["reverse:http://localhost:8000@127.0.0.1:9000", "reverse:https://example.com@127.0.0.1:9001"],
            "x.jsonl",
            True,
        )
    ]


def test_free_ports(modes):
    """Port 0 stays 0 for all."""
    proxy.run(["http://a", "http://b"], "127.0.0.1:0", redact=False)
    assert modes == [(["reverse:http://a@127.0.0.1:0", "reverse:http://b@127.0.0.1:0"], None, False)]


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://localhost", "http://", "", "http://[", "http://h:x"])
def test_url_that_is_none(url):
    """One sentence names it and says what to give."""
    with pytest.raises(McpsniffError, match="give the server's address"):
        proxy.run([url])


@pytest.mark.parametrize("listen", ["8080", "127.0.0.1", ":8080", "h:", "h:x", "h:70000"])
def test_address_that_is_none(listen):
    """One sentence names it and says what to give."""
    with pytest.raises(McpsniffError, match="give HOST:PORT"):
        proxy.run(["http://localhost"], listen)
