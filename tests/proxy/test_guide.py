"""What the user is told about pointing a client at the proxy."""

import json

from mcpsniff.proxy import guide


def test_reverse():
    """The client's address changes, its path does not."""
    ways = [("reverse:http://localhost:8000@127.0.0.1:8080", "127.0.0.1", 8080)]
    assert list(guide.lines(ways, "~/.mitmproxy", {})) == [
        "mcpsniff: for http://localhost:8000 point the client at http://127.0.0.1:8080 (same path)"
    ]


def test_reverse_with_a_path():
    """Where the URL's path is known there is a configuration to paste."""
    ways = [("reverse:http://localhost:8000@127.0.0.1:8080", "127.0.0.1", 8080)]
    said, config = guide.lines(ways, "", {"http://localhost:8000": "/mcp"})
    assert said == "mcpsniff: for http://localhost:8000/mcp point the client at http://127.0.0.1:8080/mcp"
    assert json.loads(config) == {
        "mcpServers": {"localhost-8000": {"type": "http", "url": "http://127.0.0.1:8080/mcp"}}
    }


def test_regular():
    """The client's environment changes; an address for all interfaces is one of this machine."""
    line = "".join(guide.lines([("regular", "0.0.0.0", 8080)], "/conf", {}))
    assert "HTTPS_PROXY=http://127.0.0.1:8080" in line
    assert "SSL_CERT_FILE=/conf/mitmproxy-ca-cert.pem" in line
    assert "NODE_EXTRA_CA_CERTS=/conf/mitmproxy-ca-cert.pem" in line


def test_other_modes_say_nothing():
    """A mode that no client is pointed at has no line."""
    assert list(guide.lines([("socks5", "127.0.0.1", 1080)], "/conf", {})) == []


def test_ipv6_address_can_be_pasted():
    """It stands in brackets."""
    (line,) = guide.lines([("reverse:http://localhost:8000", "::1", 8080)], "/conf", {})
    assert "http://[::1]:8080" in line
