"""The handshake era (2024-11-05 to 2025-11-25): a session that remembers what was agreed in it.

One LegacySession is one conversation: a stdio process, or one Mcp-Session-Id. Everything that the server has
to keep between two requests is a field of it.
"""

import queue
import threading
from collections.abc import Callable

from library.jsonrpc import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    Id,
    Message,
    RpcError,
    failure,
    notification,
    request,
    result,
)
from library.revisions import ELICITATION_SINCE, LEGACY, LOG_LEVELS, NEWEST_LEGACY, PROGRESS_MESSAGE_SINCE
from library.service import Change, Service
from library.streams import Cancelled, Stream
from library.tools import ToolFailure

ANSWER_POLL = 0.05  # seconds between two looks whether the call was cancelled while the user thinks


class LegacySession:
    """One conversation after a handshake; `tell` takes notifications that belong to no request."""

    def __init__(
        self, service: Service, tell: Callable[[Message], None], probe_answer: int | None = METHOD_NOT_FOUND
    ) -> None:
        self.revision: str | None = None
        self.client_capabilities: Message = {}
        self._service = service
        self._tell = tell
        self._probe_answer = probe_answer
        self._ready = False
        self._log_level: str | None = None
        self._subscriptions: set[str] = set()
        self._awaited: dict[Id, queue.Queue[Message]] = {}
        self._last_id = 0
        self._lock = threading.Lock()
        self._methods: dict[str, Callable[[Message], Message]] = {
            "logging/setLevel": self._set_level,
            "resources/subscribe": self._subscribe,
            "resources/unsubscribe": self._unsubscribe,
        }

    def handle(self, message: Message, stream: Stream) -> Message | None:
        """Returns the response to a request, None where there will be none; blocks while it works."""
        if message["method"] == "server/discover" and self._probe_answer is None:
            return None
        try:
            return result(message["id"], self._result(message, stream))
        except RpcError as error:
            return failure(message["id"], error)
        except Cancelled:
            return None

    def notice(self, message: Message) -> None:
        """Takes a notification of the client; a cancellation is the transport's affair."""
        if message["method"] == "notifications/initialized" and self.revision is not None and not self._ready:
            self._ready = True
            self._service.changes.listen(self._on_change)

    def answer(self, response: Message) -> None:
        """Takes the client's answer to a request of this server; one that nobody waits for is dropped."""
        with self._lock:
            waiting = self._awaited.pop(response.get("id", ""), None)
        if waiting is not None:
            waiting.put(response)

    def close(self) -> None:
        """Forgets the session."""
        if self._ready:
            self._service.changes.forget(self._on_change)

    def ask(self, stream: Stream, method: str, params: Message) -> Message:
        """Sends a request to the client in the midst of one of its own, and returns the response."""
        answers: queue.Queue[Message] = queue.Queue()
        with self._lock:
            self._last_id += 1
            id = self._last_id
            self._awaited[id] = answers
        stream.send(request(id, method, params))
        while True:
            try:
                return answers.get(timeout=ANSWER_POLL)
            except queue.Empty:
                stream.pause(0)

    def log(self, stream: Stream, level: str, data: str) -> None:
        """Sends a log message from the level on that the client has set; none before it has set one."""
        wanted = self._log_level
        if wanted is not None and LOG_LEVELS.index(level) >= LOG_LEVELS.index(wanted):
            params = {"level": level, "logger": "library", "data": data}
            stream.send(notification("notifications/message", params))

    def _result(self, message: Message, stream: Stream) -> Message:
        method, params = message["method"], message.get("params", {})
        if method == "ping":
            return {}
        if method == "initialize":
            return self._initialize(params)
        if method == "server/discover" and self._probe_answer is not None:
            raise RpcError(self._probe_answer, f"There is no method {method}.")
        if self.revision is None:
            raise RpcError(INVALID_REQUEST, "A session begins with initialize.")
        if method in self._methods:
            return self._methods[method](params)
        if method == "tools/call":
            self.log(stream, "info", f"tools/call {params.get('name')}")
        return self._service.answer(method, params, LegacyCall(self, self.revision, params, stream))

    def _initialize(self, params: Message) -> Message:
        if self.revision is not None:
            raise RpcError(INVALID_REQUEST, "This session is initialized already.")
        asked, capabilities = params.get("protocolVersion"), params.get("capabilities")
        if not isinstance(asked, str) or not isinstance(capabilities, dict) or "clientInfo" not in params:
            raise RpcError(INVALID_PARAMS, "initialize needs protocolVersion, capabilities and clientInfo.")
        self.revision = asked if asked in LEGACY else NEWEST_LEGACY
        self.client_capabilities = capabilities
        return {
            "protocolVersion": self.revision,
            "capabilities": {"logging": {}, **self._service.capabilities()},
            "serverInfo": self._service.info,
        }

    def _set_level(self, params: Message) -> Message:
        if params.get("level") not in LOG_LEVELS:
            raise RpcError(INVALID_PARAMS, "There is no such log level.")
        self._log_level = params["level"]
        return {}

    def _subscribe(self, params: Message) -> Message:
        self._subscriptions.add(self._known_uri(params))
        return {}

    def _unsubscribe(self, params: Message) -> Message:
        self._subscriptions.discard(self._known_uri(params))
        return {}

    def _known_uri(self, params: Message) -> str:
        if "resources" not in self._service.capabilities():
            raise RpcError(METHOD_NOT_FOUND, "This server has no resources.")
        uri = params.get("uri")
        if not isinstance(uri, str):
            raise RpcError(INVALID_PARAMS, "The parameter uri must be a string.")
        return uri

    def _on_change(self, change: Change) -> None:
        if change.uri is None or change.uri in self._subscriptions:
            self._tell(change.notice())


class LegacyCall:
    """A request of a session, as the service and its tools see it."""

    def __init__(self, session: LegacySession, revision: str, params: Message, stream: Stream) -> None:
        self.revision = revision
        self._session = session
        self._stream = stream
        self._token = params.get("_meta", {}).get("progressToken")

    def progress(self, done: int, total: int, message: str) -> None:
        """Sends a progress notification, where the request carried a token."""
        if self._token is None:
            return
        params = {"progressToken": self._token, "progress": done, "total": total}
        if self.revision >= PROGRESS_MESSAGE_SINCE:
            params["message"] = message
        self._stream.send(notification("notifications/progress", params))

    def ask(self, key: str, message: str, schema: Message) -> Message:
        """Asks by a request to the client, while its own stays open."""
        able = self._session.client_capabilities.get("elicitation")
        if self.revision < ELICITATION_SINCE or able is None or (able and "form" not in able):
            raise ToolFailure("This needs a confirmation, and this client cannot ask its user for one.")
        params = {"message": message, "requestedSchema": schema}
        response = self._session.ask(self._stream, "elicitation/create", params)
        if "error" in response:
            raise ToolFailure("The client could not ask its user.")
        answer: Message = response["result"]
        return answer

    def pause(self, seconds: float) -> None:
        """Waits; raises Cancelled when the request was cancelled."""
        self._stream.pause(seconds)
