"""What a capture leaves out on purpose, so that some rules must not judge: times not kept, values redacted."""

from __future__ import annotations

from typing import Protocol


class Redacted(Protocol):
    """What of the messages is redacted."""

    def __contains__(self, seq: object, /) -> bool:
        """Whether a record holds a redacted part of a message, or repeats one in a header."""

    def covers(self, pointer: str) -> bool:
        """Whether what a JSON pointer names is redacted somewhere, wholly or in part."""


class _Nothing:
    def __contains__(self, seq: object, /) -> bool:
        return False

    def covers(self, pointer: str) -> bool:
        return False


class Doubts:
    """What is not known of one session although nothing was lost."""

    def __init__(self) -> None:
        self.untimed = 0  # event streams of which it is not known when what came, nor what else came in between
        self.hidden: Redacted = _Nothing()
        self.veiled = False  # what messages are made of (all parameters, the method) is redacted
