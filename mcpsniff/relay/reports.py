"""What the recorder has to say, told by its parent on stderr: the recorder itself holds none of the client's pipes.

One line a report: `+` and the capture's path when it is open, `-` and a sentence when something is wrong, `=` and a
line on the traffic.
"""

import _thread
import os


class Reports:
    """The parent's end of the pipe on which the recorder reports; `run` reads it in a thread of its own."""

    def __init__(self, fd: int, verbose: bool):
        self.closing = False  # the recorder has been told to end
        self._fd = fd
        self._verbose = verbose
        self._told = False  # that something is wrong; one line is enough
        self._path: str | None = None
        self._first = _thread.allocate_lock()  # held until the capture is open or cannot be opened
        self._last = _thread.allocate_lock()  # held until the recorder is gone
        self._first.acquire()
        self._last.acquire()

    def run(self) -> None:
        """Tells each report as it comes, until the recorder ends."""
        rest = b""
        while data := os.read(self._fd, 4096):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self._tell(line.decode("utf-8", "replace"))
        if not (self.closing or self._told):
            say("the recorder is gone; the traffic goes on unrecorded")
        self._release(self._first)
        self._release(self._last)

    def opened(self) -> str | None:
        """Waits until the capture is open, and gives its path; None where it cannot be opened."""
        self._first.acquire()
        return self._path

    def ended(self, timeout: float) -> bool:
        """Waits at most `timeout` seconds for the recorder's end."""
        return self._last.acquire(timeout=timeout)

    def _tell(self, line: str) -> None:
        if line.startswith("="):
            _put(line[1:])
            return
        if line.startswith("+"):
            self._path = line[1:]
            if self._verbose:
                say(f"capturing to {line[1:]}")
        else:
            self._told = True
            say(line[1:])
        self._release(self._first)

    def _release(self, lock: _thread.LockType) -> None:
        if lock.locked():
            lock.release()


def say(text: str) -> None:
    """Writes one line on stderr, if anybody listens."""
    _put(f"mcpsniff: {text}")


def _put(line: str) -> None:
    try:  # noqa: SIM105  contextlib would have to be imported
        os.write(2, f"{line}\n".encode("utf-8", "backslashreplace"))
    except OSError:
        pass
