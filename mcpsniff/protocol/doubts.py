"""What a capture leaves out on purpose, so that some rules must not judge: times not kept, values redacted."""

from __future__ import annotations

from collections.abc import Container


class Doubts:
    """What is not known of one session although nothing was lost."""

    def __init__(self) -> None:
        self.untimed = 0  # event streams of which it is not known when what came, nor what else came in between
        self.hidden: Container[int] = ()  # records that hold a redacted part of a message, or repeat one in a header
        self.veiled = False  # what messages are made of (all parameters, the method) is redacted
