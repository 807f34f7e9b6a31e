"""What one open request holds while the server works on it: where its messages go, and whether to stop.

Transports make the streams; the eras and the tools write to them and look whether they shall stop.
"""

import threading
from collections.abc import Callable

from library.jsonrpc import Id, Message


class Cancelled(Exception):
    """The request is not to be answered any more."""


class Stream:
    """The way back to the client for what belongs to one request."""

    def __init__(self, send: Callable[[Message], None]) -> None:
        self.send = send
        self.cancelled = False
        self._stop = threading.Event()

    def stop(self, cancelled: bool) -> None:
        """Asks whoever works for this request to stop: cancelled by the client, or the server is closing."""
        self.cancelled = self.cancelled or cancelled
        self._stop.set()

    def pause(self, seconds: float | None) -> None:
        """Waits so long, for ever with None; raises Cancelled as soon as the work shall stop."""
        if self._stop.wait(seconds):
            raise Cancelled


class OpenRequests:
    """The requests in flight, each with its stream: what a cancellation looks up."""

    def __init__(self) -> None:
        self._ids: dict[Stream, Id] = {}
        self._changed = threading.Condition()

    def begin(self, id: Id, stream: Stream) -> None:
        """Makes the stream findable, before anything else of the client is read."""
        with self._changed:
            self._ids[stream] = id

    def end(self, stream: Stream) -> None:
        """Forgets the request: it is answered, or will not be."""
        with self._changed:
            self._ids.pop(stream, None)
            self._changed.notify_all()

    def cancel(self, id: object) -> None:
        """Cancels that request; one that is unknown or answered already is no error, but a race."""
        with self._changed:
            meant = [stream for stream, own in self._ids.items() if own == id and type(own) is type(id)]
        for stream in meant:
            stream.stop(cancelled=True)

    def stop_all(self, patience: float = 0) -> None:
        """Asks every open request to end because the server is closing, and waits so many seconds for them."""
        with self._changed:
            streams = list(self._ids)
        for stream in streams:
            stream.stop(cancelled=False)
        with self._changed:
            self._changed.wait_for(lambda: not self._ids, patience)
