"""Pipes and channels for the tests of this folder."""

import os
from contextlib import suppress

import pytest

from mcpsniff.wrap.channel import Feed, open_channel
from mcpsniff.wrap.intake import frames


@pytest.fixture
def pipe():
    """Makes pipes (read end, write end) that are closed after the test."""
    made = []

    def make():
        made.append(os.pipe())
        return made[-1]

    yield make
    for fd in (fd for pair in made for fd in pair):
        with suppress(OSError):
            os.close(fd)


@pytest.fixture
def channel():
    """Opens a channel: its Feed with time zero 0, the frames that come out, and the read end of its pipe."""
    opened = []

    def make():
        source, target, memory = open_channel()
        opened.extend((source, target))
        return Feed(target, memory, 0), frames(source, memory), source

    yield make
    for fd in opened:
        with suppress(OSError):
            os.close(fd)
