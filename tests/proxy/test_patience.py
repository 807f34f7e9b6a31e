"""The limit of silence, in both generations of mitmproxy."""

import asyncio

import pytest
from mitmproxy.proxy import server
from mitmproxy.test import taddons

from mcpsniff.proxy import patience


@pytest.fixture
def stage(monkeypatch):
    """Runs a function where mitmproxy's options are at hand; the constant of mitmproxy 11 is put back."""
    monkeypatch.setattr(server, "TCP_TIMEOUT", 600, raising=False)

    def run(play):
        async def main():
            with taddons.context() as context:
                play(context.options)

        asyncio.run(main())

    return run


def with_option(options):
    """What only mitmproxy 12 has by itself."""
    if "tcp_timeout" not in options:
        options.add_option("tcp_timeout", int, 600, "")


def test_option(stage):
    """The default is raised."""

    def play(options):
        with_option(options)
        assert patience.limit() == 600
        patience.extend()
        assert (patience.limit(), options.tcp_timeout) == (86400, 86400)

    stage(play)


def test_option_that_the_user_set(stage):
    """It stays."""

    def play(options):
        with_option(options)
        options.update(tcp_timeout=5)
        patience.extend()
        assert patience.limit() == 5

    stage(play)


def test_constant(stage):
    """Without the option it is the constant that is raised."""

    def play(options):
        options._options.pop("tcp_timeout", None)
        assert patience.limit() == 600
        patience.extend()
        assert patience.limit() == server.TCP_TIMEOUT == 86400

    stage(play)
