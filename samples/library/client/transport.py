"""What both transports of the client have in common: a request under way, and how it can end."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from library.jsonrpc import Id, Message, RpcError

ANSWER_TIMEOUT = 30.0  # seconds


class ClientError(Exception):
    """The client cannot go on; the text is one sentence for the user."""


class HttpRefusal(Exception):
    """The server refused a POST by its HTTP status, without a JSON-RPC error."""

    def __init__(self, status: int) -> None:
        super().__init__(f"HTTP status {status}")
        self.status = status


@dataclass(frozen=True)
class Profile:
    """What the client says of itself, and which version it asks for first (None: the newest it knows)."""

    name: str = "library-client"
    version: str = "1.0.0"
    capabilities: Mapping[str, object] = field(default_factory=dict)
    sends_info: bool = True
    offer: str | None = None

    def info(self) -> Message:
        """Returns the client's identity as the protocol has it."""
        return {"name": self.name, "version": self.version}


class Pending:
    """A request under way; over HTTP `abandon` closes what carries it, and `session_id` comes with the answer."""

    def __init__(self, id: Id) -> None:
        self.id = id
        self.session_id: str | None = None
        self.abandon: Callable[[], None] = lambda: None
        self._done = threading.Event()
        self._response: Message | None = None
        self._problem: Exception | None = None

    def answered(self, response: Message) -> None:
        """Takes the response."""
        self._response = response
        self._done.set()

    def failed(self, problem: Exception) -> None:
        """Takes note that there will be no response."""
        if self._response is None:
            self._problem = problem
            self._done.set()

    def result(self, timeout: float = ANSWER_TIMEOUT) -> Message:
        """Returns the result; RpcError for an error response, TimeoutError, or why no response can come."""
        if not self._done.wait(timeout):
            raise TimeoutError(f"The server has not answered within {timeout:g} seconds.")
        if self._response is None:
            assert self._problem is not None
            raise self._problem
        if "error" in self._response:
            raise RpcError.of(self._response)
        value: Message = self._response["result"]
        return value


class Waiting:
    """The requests under way on a channel that all answers share, by id."""

    def __init__(self) -> None:
        self._pending: dict[Id, Pending] = {}
        self._loss: Exception | None = None
        self._lock = threading.Lock()

    def add(self, id: Id) -> Pending:
        """Returns a new request under way, lost from the start where the channel has ended."""
        pending = Pending(id)
        with self._lock:
            self._pending[id] = pending
            loss = self._loss
        if loss is not None:
            pending.failed(loss)
        return pending

    def take(self, response: Message) -> None:
        """Hands a response to whoever waits for it; one that nobody waits for is dropped."""
        with self._lock:
            pending = self._pending.pop(response.get("id", ""), None)
        if pending is not None:
            pending.answered(response)

    def lose(self, problem: Exception) -> None:
        """Tells everybody who waits that no response can come any more."""
        with self._lock:
            self._loss = problem
            waiting = list(self._pending.values())
        for pending in waiting:
            pending.failed(problem)


class Transport(Protocol):
    """A way to a server; `on_message` takes what is not the answer to a request of ours."""

    on_message: Callable[[Message], None]
    closing_cancels: bool

    def start(self, request: Message) -> Pending:
        """Sends a request and returns at once."""

    def send(self, message: Message) -> None:
        """Sends a notification or a response."""

    def begin_session(self, initialize: Pending, revision: str) -> None:
        """Takes over what the handshake settled."""

    def open_standing_stream(self) -> None:
        """Makes sure that notifications which belong to no request can arrive."""

    def older(self) -> "Transport | None":
        """Returns the older transport that the other end speaks instead, None where there is none."""

    def close(self) -> None:
        """Ends the conversation in order."""
