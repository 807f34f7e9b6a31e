"""mitmproxy's notes on streamed responses."""

import logging

import pytest
from mitmproxy.test import tflow

from mcpsniff.proxy.quiet import Quiet

NOTE = "Streaming response from localhost."


@pytest.fixture
def quiet():
    """A filter at work."""
    quiet = Quiet()
    quiet.begin()
    yield quiet
    quiet.end()


def client(port):
    """A client's connection."""
    conn = tflow.tclient_conn()
    conn.peername = ("127.0.0.1", port)
    return conn


def say(text, port):
    """Logs as mitmproxy does."""
    extra = {"client": ("127.0.0.1", port)}
    logging.getLogger("mitmproxy.proxy.server").log(logging.INFO, text, extra=extra)


def test_what_is_expected_is_dropped_once(quiet, caplog):
    """The next note on the same client is somebody else's."""
    caplog.set_level(logging.INFO)
    quiet.expect(client(1))
    say("client connect", 1)
    say(NOTE, 2)
    say(NOTE, 1)
    assert caplog.messages == ["client connect", NOTE]
    say(NOTE, 1)
    assert caplog.messages == ["client connect", NOTE, NOTE]


def test_client_that_left_before(quiet, caplog):
    """Its address may come again."""
    caplog.set_level(logging.INFO)
    quiet.expect(client(1))
    quiet.forget(client(1))
    say(NOTE, 1)
    assert caplog.messages == [NOTE]


def test_nothing_is_dropped_after_the_end(quiet, caplog):
    """The log is mitmproxy's again."""
    caplog.set_level(logging.INFO)
    quiet.expect(client(1))
    quiet.end()
    say(NOTE, 1)
    assert caplog.messages == [NOTE]
