"""Pipes for the tests of this folder."""

import os
from contextlib import suppress

import pytest


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
def channel(pipe):
    """A Feed and the read end of its pipe."""
    from mcpsniff.wrap.channel import Feed

    source, target = pipe()
    return Feed(target, 0), source
