"""What the recorder saw of a stdio server's process: ends of streams, signals, exit. Times in seconds."""

from __future__ import annotations

from collections import deque

STDERR_KEPT = 20  # lines


class Process:
    """The life of one server process."""

    __slots__ = ("code", "eof", "error", "exit_at", "exit_seq", "signal", "signals", "stderr", "stderr_lines", "unsure")

    def __init__(self, *, unsure: bool = False) -> None:
        self.eof: dict[str, tuple[int, float]] = {}  # "stdin" | "stdout" | "stderr" → (record, seconds)
        self.signals: list[tuple[int, float, str]] = []  # passed on to the server: (record, seconds, name)
        self.exit_seq: int | None = None
        self.exit_at: float | None = None
        self.code: int | None = None
        self.signal: str | None = None  # that ended the process
        self.error: str | None = None  # why the command could not be started
        self.stderr: deque[str] = deque(maxlen=STDERR_KEPT)  # the last lines
        self.stderr_lines = 0
        self.unsure = unsure  # it may have been told to end in what is missing; until the client says something

    @property
    def stdin_open(self) -> bool:
        """Whether the client still held the server's stdin open."""
        return "stdin" not in self.eof

    @property
    def died(self) -> bool:
        """Whether it ended by itself: until then the client held its stdin open, and no signal was passed on."""
        return self.exit_seq is not None and not self.told_to_end and not self.unsure

    @property
    def told_to_end(self) -> bool:
        """Whether the client closed stdin or sent a signal, before the exit if there was one."""
        orders = [seq for seq, *_ in self.signals]
        if not self.stdin_open:
            orders.append(self.eof["stdin"][0])
        return any(self.exit_seq is None or seq < self.exit_seq for seq in orders)

    @property
    def last_words(self) -> str:
        """The last line on stderr that says anything; empty where there is none."""
        return next((line.strip() for line in reversed(self.stderr) if line.strip()), "")

    @property
    def status(self) -> str:
        """How it ended, in words."""
        if self.error is not None:
            return f"could not be started: {self.error}"
        if self.exit_seq is None:
            return "was still running when the capture stopped"
        return f"was ended by {self.signal}" if self.signal else f"exited with status {self.code}"

    def ended(self, seq: int, at: float, code: int | None, signal: str | None, error: str | None) -> None:
        """Takes in the exit record."""
        self.exit_seq, self.exit_at = seq, at
        self.code, self.signal, self.error = code, signal, error
