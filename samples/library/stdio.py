"""The stdio transport of a server: one message a line on stdin and stdout, nothing else on either.

Serves both eras side by side where the build has both. Requests that may take time run in threads of their
own, so that answers, cancellations and pings are read meanwhile. Ends when stdin ends.
"""

import threading
from typing import Any, BinaryIO

from library.build import Build
from library.jsonrpc import (
    INVALID_REQUEST,
    Message,
    RpcError,
    checked,
    decode,
    encode,
    failure,
    is_request,
    is_response,
    readable_id,
)
from library.legacy import LegacySession
from library.modern import ModernServer, wants_modern
from library.revisions import BATCHES_IN
from library.streams import OpenRequests, Stream

_SLOW_METHODS = frozenset({"tools/call", "subscriptions/listen"})


class StdioServer:
    """One process serving one client."""

    def __init__(self, build: Build, source: BinaryIO, sink: BinaryIO) -> None:
        self._modern = build.modern
        self._legacy = build.legacy_session(self._write) if build.speaks_legacy else None
        self._source = source
        self._sink = sink
        self._open = OpenRequests()
        self._workers: list[threading.Thread] = []
        self._lock = threading.Lock()

    def run(self) -> None:
        """Serves until the client closes stdin; open subscriptions are then ended in order."""
        for line in self._source:
            self._take_line(line)
        self._open.stop_all()
        for worker in self._workers:
            worker.join()

    def _take_line(self, line: bytes) -> None:
        value: Any = None
        try:
            value = decode(line)
            if isinstance(value, list):
                self._take_batch(value)
            else:
                self._take(checked(value))
        except RpcError as error:
            self._write(failure(readable_id(value), error))

    def _take(self, message: Message) -> None:
        if is_request(message):
            self._take_request(message)
        elif message.get("method") == "notifications/cancelled":
            self._open.cancel(message.get("params", {}).get("requestId"))
        elif self._legacy is not None:
            take = self._legacy.answer if is_response(message) else self._legacy.notice
            take(message)

    def _take_request(self, request: Message) -> None:
        stream = self._begin(request)
        if request["method"] not in _SLOW_METHODS:
            self._serve(request, stream)
            return
        self._workers = [worker for worker in self._workers if worker.is_alive()]
        worker = threading.Thread(target=self._serve, args=(request, stream))
        self._workers.append(worker)
        worker.start()

    def _take_batch(self, messages: list[Any]) -> None:
        """Serves a batch, which one revision has; its answers come back as a batch."""
        if self._legacy is None or self._legacy.revision != BATCHES_IN or not messages:
            raise RpcError(INVALID_REQUEST, "One message a line: this session has no batches.")
        requests = []
        for message in map(checked, messages):
            if is_request(message):
                requests.append(message)
            else:
                self._take(message)
        answers = [self._response(request, self._begin(request)) for request in requests]
        responses = [response for response in answers if response is not None]
        if responses:
            self._write(responses)

    def _serve(self, request: Message, stream: Stream) -> None:
        response = self._response(request, stream)
        if response is not None:
            self._write(response)

    def _begin(self, request: Message) -> Stream:
        stream = Stream(self._write)
        self._open.begin(request["id"], stream)
        return stream

    def _response(self, request: Message, stream: Stream) -> Message | None:
        try:
            return self._server_for(request).handle(request, stream)
        finally:
            self._open.end(stream)

    def _server_for(self, request: Message) -> LegacySession | ModernServer:
        if self._modern is not None and (self._legacy is None or wants_modern(request)):
            return self._modern
        assert self._legacy is not None
        return self._legacy

    def _write(self, message: Message | list[Message]) -> None:
        with self._lock:
            self._sink.write(encode(message) + b"\n")
            self._sink.flush()
