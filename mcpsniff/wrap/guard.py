"""Sees to it that the server does not outlive wrap, should wrap be killed.

The server's input has ended then by itself. One that ignores this gets SIGTERM after 2 s and SIGKILL after 4 s.
Held by process descriptor where the system has them, so that a pid used anew is never hit.
"""

import os
import signal
import time
from collections.abc import Callable

_LADDER = ((2.0, signal.SIGTERM), (4.0, signal.SIGKILL))  # seconds after wrap's end
_STEP = 0.05  # seconds between two looks where there is no descriptor to wait on


class Guard:
    """Holds on to the server `pid`; made as soon as it runs."""

    def __init__(self, pid: int):
        self._pid = pid
        self._fd: int | None = None
        self._gone = False
        try:
            self._fd = os.pidfd_open(pid)
        except ProcessLookupError:
            self._gone = True
        except (AttributeError, OSError):
            pass  # no such call here: the pid must do

    def end(self, since: float, tell: Callable[[signal.Signals], None]) -> None:
        """Waits for the server's end, and brings it about; `since` (monotonic) is when wrap ended."""
        for after, number in _LADDER:
            if self._ends_before(since + after):
                return
            tell(number)
            self._send(number)

    def _ends_before(self, deadline: float) -> bool:
        while not self._gone:
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            self._gone = self._ends_within(left)
        return True

    def _ends_within(self, seconds: float) -> bool:
        if self._fd is not None:
            from select import POLLIN, poll

            end = poll()
            end.register(self._fd, POLLIN)  # readable when the process ends
            return bool(end.poll(seconds * 1000))
        time.sleep(min(seconds, _STEP))
        try:
            os.kill(self._pid, 0)
        except ProcessLookupError:
            return True
        return False

    def _send(self, number: signal.Signals) -> None:
        try:
            if self._fd is not None:
                signal.pidfd_send_signal(self._fd, number)
            else:
                os.kill(self._pid, number)
        except ProcessLookupError:
            self._gone = True
