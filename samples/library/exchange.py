"""What an era may do with one HTTP request; the handler in http.py does it."""

from collections.abc import Mapping
from typing import Protocol

from library.event_log import EventLog
from library.jsonrpc import Message


class Exchange(Protocol):
    """One HTTP request and the way to answer it."""

    def header(self, name: str) -> str | None:
        """Returns a request header's value, None where it was not sent."""

    def reply(self, status: int, headers: Mapping[str, str] | None = None, body: bytes = b"") -> None:
        """Sends a whole answer."""

    def reply_json(
        self, status: int, message: Message | list[Message], headers: Mapping[str, str] | None = None
    ) -> None:
        """Sends one JSON-RPC response, or the array that answers a batch."""

    def reply_events(self, log: EventLog, after: int = 0, id_prefix: str | None = None, preface: bytes = b"") -> bool:
        """Sends what the log holds and gets as SSE; False where the client went away."""

    def client_is_gone(self) -> bool:
        """Tells whether the client has closed the connection."""
