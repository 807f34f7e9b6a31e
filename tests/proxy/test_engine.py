"""What the engine takes from the environment."""

import asyncio
import os

import pytest

from mcpsniff.proxy import Wishes, engine


@pytest.mark.parametrize(
    ("named", "trusted"),
    [(None, None), ("", None), ("/etc/private.pem", "/etc/private.pem"), ("~/.mitmproxy/mitmproxy-ca-cert.pem", None)],
)
def test_servers_are_trusted_by_what_the_environment_names(named, trusted, monkeypatch):
    """SSL_CERT_FILE holds for the proxy as for any program; but the proxy's own certificate is for clients."""
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    if named is not None:
        monkeypatch.setenv("SSL_CERT_FILE", os.path.expanduser(named))

    async def main():
        proxy = engine.Proxy(["regular@127.0.0.1:0"], Wishes(), engine.Talk(), {})
        return proxy.options.ssl_verify_upstream_trusted_ca

    assert asyncio.run(main()) == trusted
