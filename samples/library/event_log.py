"""The messages of one answer over HTTP, in order, kept until it has ended: what an SSE stream is written from.

Written by the thread that works for the request, read by the thread of the connection, and again by that of
another connection when a handshake-era client resumes a stream.
"""

import threading
from collections.abc import Callable, Iterator

from library.jsonrpc import Message, is_response
from library.streams import Stream

POLL = 0.05  # seconds between two looks whether the client is still there


class EventLog(Stream):
    """A stream that can be followed from any point; its messages are numbered from 1."""

    def __init__(self) -> None:
        super().__init__(self._append)
        self._messages: list[Message] = []
        self._finished = False
        self._changed = threading.Condition()

    def run(self, work: Callable[[Message, Stream], Message | None], request: Message) -> None:
        """Lets the work for the request run in a thread of its own, which ends the log with its response."""

        def worker() -> None:
            response = None
            try:
                response = work(request, self)
            finally:
                self.finish(response)

        threading.Thread(target=worker, daemon=True).start()

    def finish(self, response: Message | None = None) -> None:
        """Ends the log, with the response where there is one."""
        with self._changed:
            if response is not None:
                self._messages.append(response)
            self._finished = True
            self._changed.notify_all()

    def only_response(self, is_gone: Callable[[], bool]) -> Message | None:
        """Returns the response where nothing came before it; None once something else must be sent as a stream."""
        for item in self.follow(0):
            if item is not None:
                return item[1] if is_response(item[1]) else None
            if is_gone():
                return None
        return None

    def follow(self, after: int) -> Iterator[tuple[int, Message] | None]:
        """Yields each message after that number, as it comes; None now and then while nothing does."""
        over = False
        while not over:
            news, over = self._after(after)
            yield from enumerate(news, start=after + 1)
            after += len(news)
            if not news:
                yield None

    def _after(self, number: int) -> tuple[list[Message], bool]:
        """Returns the messages after that number, having waited a moment for one, and whether that was all."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._messages) > number or self._finished, POLL)
            return self._messages[number:], self._finished

    def _append(self, message: Message) -> None:
        with self._changed:
            self._messages.append(message)
            self._changed.notify_all()
