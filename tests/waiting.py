"""Waiting for what others bring about: with a deadline, and never for a time that should suffice."""

import time
from collections.abc import Callable
from typing import TypeVar

DEADLINE = 180.0  # seconds; reached only when something is broken, on a machine with very much else to do
Answer = TypeVar("Answer")


def until(condition: Callable[[], Answer]) -> Answer:
    """The first true answer of `condition`, asked again and again."""
    end = time.monotonic() + DEADLINE
    while not (answer := condition()):
        assert time.monotonic() < end, "the condition never came true"
        time.sleep(0.01)
    return answer
