"""The pumps between the client's and the server's three pipes."""

import os

from mcpsniff.relay.pump import Pump, wait
from mcpsniff.wrap.feed import EOF, STDERR


class PipePump(Pump):
    """A pump that closes both of its ends when either is gone."""

    def waiting(self) -> bool:
        """Whether bytes are there that the pump has not read yet."""
        return wait(self._source, "POLLIN", 0)

    def _source_ended(self) -> None:
        self._feed.tell(EOF, b"%d" % self._stream)

    def _part(self) -> None:
        # Both ends, or whoever is left would go on talking to nobody.
        shut(self._source)
        if self._stream != STDERR:  # wrap's own words go to stderr too
            shut(self._target)


def shut(fd: int) -> None:
    """Closes what `fd` stands for, but keeps the number: reading finds the end, writing fails.

    Safe while another thread uses `fd`, and safe to do twice.
    """
    source, target = os.pipe()
    os.dup2(source, fd, inheritable=False)
    os.close(source)
    os.close(target)
