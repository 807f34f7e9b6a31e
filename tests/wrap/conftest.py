"""Channels for the tests of this folder."""

import os
from contextlib import suppress

import pytest

from mcpsniff.relay.channel import open_channel
from mcpsniff.relay.intake import frames
from mcpsniff.wrap.feed import Feed


@pytest.fixture
def channel():
    """Opens a channel: a Feed with time zero 0, the frames that come out, and the read end of its pipe."""
    opened = []

    def make():
        source, target, memory = open_channel()
        opened.extend((source, target))
        return Feed(target, memory, 0), frames(source, memory), source

    yield make
    for fd in opened:
        with suppress(OSError):
            os.close(fd)
