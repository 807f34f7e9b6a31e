"""Keeps mitmproxy's note on each response that the addon has it stream out of the log.

It is there for those who stream by an option of their own; of each exchange it would say nothing, and cost a tenth of
what mitmproxy spends on one.
"""

import logging

from mitmproxy.connection import Client

_LOGGER = "mitmproxy.proxy.server"
_NOTE = "Streaming response from "


class Quiet(logging.Filter):
    """Drops the next such note of each client's connection that is `expected`."""

    def __init__(self) -> None:
        super().__init__()
        self._expected: set[object] = set()  # addresses

    def begin(self) -> None:
        """Looks at the log from now on."""
        logging.getLogger(_LOGGER).addFilter(self)

    def end(self) -> None:
        """Lets all pass again."""
        logging.getLogger(_LOGGER).removeFilter(self)

    def expect(self, client: Client) -> None:
        """A response to this client is going to be streamed."""
        self._expected.add(client.peername)

    def forget(self, client: Client) -> None:
        """The client is gone."""
        self._expected.discard(client.peername)

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is to be logged."""
        client = getattr(record, "client", None)
        if client not in self._expected or not record.getMessage().startswith(_NOTE):
            return True
        self._expected.remove(client)
        return False
