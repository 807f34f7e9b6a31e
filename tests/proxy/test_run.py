"""What `mcpsniff proxy` accepts, and which engine it takes."""

import pytest

from mcpsniff import proxy
from mcpsniff.errors import McpsniffError
from mcpsniff.proxy import Wishes, engine, tap


@pytest.fixture
def asked(monkeypatch):
    """What the engines are asked for; nothing is started."""
    asked = []

    async def serve(modes, wishes, paths):
        asked.append(("mitmproxy", modes, wishes, paths))
        return "m.jsonl"

    def tapped(ways, wishes):
        asked.append(("tap", [way.mode for way in ways], wishes, {way.upstream: way.path for way in ways}))
        return "t.jsonl"

    monkeypatch.setattr(engine, "serve", serve)
    monkeypatch.setattr(tap, "serve", tapped)
    return asked


def test_http_is_tapped(asked):
    """Where all servers speak plain HTTP no byte need be changed; a user's name stays out of it."""
    wishes = Wishes("x.jsonl", redact=False)
    assert proxy.run(["http://localhost:8000/mcp", "http://user@a"], "127.0.0.1:9000", wishes) == "t.jsonl"
    modes = ["reverse:http://localhost:8000@127.0.0.1:9000", "reverse:http://a@127.0.0.1:9001"]
    assert asked == [("tap", modes, wishes, {"http://localhost:8000": "/mcp", "http://a": ""})]


def test_https_goes_through_mitmproxy(asked):
    """One such server is enough, as all are in one capture; port 0 stays 0 for all."""
    assert proxy.run(["http://a", "https://b/mcp"], "127.0.0.1:0") == "m.jsonl"
    modes = ["reverse:http://a@127.0.0.1:0", "reverse:https://b@127.0.0.1:0"]
    assert asked == [("mitmproxy", modes, Wishes(), {"http://a": "", "https://b": "/mcp"})]


def test_no_server_is_a_regular_proxy(asked):
    """Clients name their servers themselves."""
    proxy.run([], "[::1]:8080")
    assert asked[0][:2] == ("mitmproxy", ["regular@::1:8080"])


@pytest.mark.parametrize("url", ["http://h:x", "http://h:99999", "https://h:0"])
def test_port_that_is_none(url):
    """It is said that the port is wrong, not the address."""
    with pytest.raises(McpsniffError, match="its port must be a number from 1 to 65535"):
        proxy.run([url])


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://localhost", "http://", "", "http://["])
def test_url_that_is_none(url):
    """One sentence names it and says what to give."""
    with pytest.raises(McpsniffError, match="give the server's address"):
        proxy.run([url])


@pytest.mark.parametrize("listen", ["8080", "127.0.0.1", ":8080", "h:", "h:x", "h:70000"])
def test_address_that_is_none(listen):
    """One sentence names it and says what to give."""
    with pytest.raises(McpsniffError, match="give HOST:PORT"):
        proxy.run(["http://localhost"], listen)


def test_pointer_that_is_none():
    """One sentence names it and shows one."""
    with pytest.raises(McpsniffError, match="--redact 'pin' is no JSON Pointer"):
        proxy.run(["http://localhost"], wishes=Wishes(pointers=("pin",)))
