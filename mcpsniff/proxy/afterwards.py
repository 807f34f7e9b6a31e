"""Work that waits until what it tells of has been passed on: no piece of a stream waits for its record.

It is done in the order in which it came, at the latest in the next turn of the event loop, and before anything else is
recorded. Never raises.
"""

import asyncio
import logging
from collections.abc import Callable

log = logging.getLogger(__name__)


class Afterwards:
    """What is still to be done in the running loop."""

    def __init__(self) -> None:
        self._work: list[Callable[[], None]] = []

    def put(self, work: Callable[[], None]) -> None:
        """Takes one piece of work."""
        if not self._work:
            asyncio.get_running_loop().call_soon(self.do)
        self._work.append(work)

    def do(self) -> None:
        """Does all there is."""
        while self._work:
            todo, self._work = self._work, []
            for work in todo:
                try:
                    work()
                except Exception:
                    log.exception("mcpsniff: a piece of a body could not be recorded; the traffic goes on")
