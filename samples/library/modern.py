"""The stateless era (2026-07-28): every request says all that is needed to answer it.

ModernServer keeps nothing of a client between two requests; only an open subscriptions/listen, which is a
request in flight, is held while it lasts.
"""

import threading
from collections.abc import Callable, Sequence

from library.jsonrpc import (
    INVALID_PARAMS,
    MISSING_CLIENT_CAPABILITY,
    UNSUPPORTED_VERSION,
    Message,
    RpcError,
    failure,
    notification,
    result,
)
from library.revisions import (
    CLIENT_CAPABILITIES_KEY,
    CLIENT_INFO_KEY,
    LOG_LEVEL_KEY,
    LOG_LEVELS,
    MODERN,
    SERVER_INFO_KEY,
    SUBSCRIPTION_KEY,
    VERSION_KEY,
)
from library.seal import Seal
from library.service import Change, Changes, Service
from library.streams import Cancelled, Stream

# How long a client may keep a result, in milliseconds. Everything here is the same for every reader.
CACHE_LIFETIME = {
    "server/discover": 3_600_000,
    "tools/list": 3_600_000,
    "prompts/list": 3_600_000,
    "resources/list": 60_000,
    "resources/templates/list": 3_600_000,
    "resources/read": 60_000,
}
ASKING_METHODS = frozenset({"tools/call", "prompts/get", "resources/read"})
ONLY_MODERN = frozenset({"server/discover", "subscriptions/listen"})


class InputRequired(Exception):
    """The request cannot be answered before the client has found out something."""

    def __init__(self, requests: Message) -> None:
        super().__init__("input required")
        self.requests = requests


def wants_modern(message: Message) -> bool:
    """Tells whether a message belongs to this era: by its envelope, or by a method that no other era has."""
    meta = message.get("params", {}).get("_meta", {})
    return VERSION_KEY in meta or CLIENT_CAPABILITIES_KEY in meta or message.get("method") in ONLY_MODERN


class ModernServer:
    """Answers requests, one by one; `versions` is what it names as supported."""

    def __init__(self, service: Service, versions: Sequence[str] = MODERN) -> None:
        self._service = service
        self._versions = list(versions)
        self._seal = Seal()
        self._methods: dict[str, Callable[[Message, Stream], Message]] = {
            "server/discover": self._discover,
            "subscriptions/listen": self._listen,
        }

    def handle(self, message: Message, stream: Stream) -> Message | None:
        """Returns the response to a request, None where there will be none; blocks while it works."""
        try:
            return result(message["id"], self._result(message, stream))
        except RpcError as error:
            return failure(message["id"], error)
        except Cancelled:
            return None

    def _result(self, request: Message, stream: Stream) -> Message:
        self.admit(request)
        method, params = request["method"], request["params"]
        if method in self._methods:
            return self._complete(method, self._methods[method](request, stream))
        self._check_state(method, params)
        try:
            value = self._service.answer(method, params, ModernCall(params, stream))
        except InputRequired as needed:
            return self._input_required(method, params, needed)
        return self._complete(method, value)

    def admit(self, request: Message) -> None:
        """Refuses a request whose envelope is not that of this era or asks for another version."""
        params = request.get("params", {})
        if request["method"] == "initialize" and VERSION_KEY not in params.get("_meta", {}):
            raise self._unsupported(str(params.get("protocolVersion")))
        meta = params.get("_meta", {})
        for key, kind in ((VERSION_KEY, str), (CLIENT_CAPABILITIES_KEY, dict)):
            if not isinstance(meta.get(key), kind):
                raise RpcError(INVALID_PARAMS, f"Every request carries {key} in params._meta.")
        if not isinstance(meta.get(CLIENT_INFO_KEY, {}), dict):
            raise RpcError(INVALID_PARAMS, f"{CLIENT_INFO_KEY} must be an object.")
        if meta[VERSION_KEY] not in MODERN:
            raise self._unsupported(meta[VERSION_KEY])
        if meta.get(LOG_LEVEL_KEY, LOG_LEVELS[0]) not in LOG_LEVELS:
            raise RpcError(INVALID_PARAMS, "There is no such log level.")

    def _unsupported(self, requested: str) -> RpcError:
        versions = ", ".join(self._versions)
        message = f"This server does not speak version {requested}, only {versions}."
        return RpcError(UNSUPPORTED_VERSION, message, {"supported": self._versions, "requested": requested})

    def _discover(self, request: Message, stream: Stream) -> Message:
        return {"supportedVersions": self._versions, "capabilities": self._service.capabilities()}

    def _listen(self, request: Message, stream: Stream) -> Message:
        """Holds the request open and passes on changes until the client or the server ends it."""
        wanted = request["params"].get("notifications")
        if not isinstance(wanted, dict) or not isinstance(wanted.get("resourceSubscriptions", []), list):
            raise RpcError(INVALID_PARAMS, "subscriptions/listen says which notifications it wants.")
        subscription = Subscription(self._honoured(wanted), {SUBSCRIPTION_KEY: request["id"]}, stream)
        subscription.open(self._service.changes)
        try:
            stream.pause(None)
        except Cancelled:
            if stream.cancelled:
                raise
        finally:
            self._service.changes.forget(subscription.on_change)
        return {"_meta": {SUBSCRIPTION_KEY: request["id"]}}

    def _honoured(self, wanted: Message) -> Message:
        if "resources" not in self._service.capabilities():
            return {}
        honoured: Message = {}
        if wanted.get("resourcesListChanged") is True:
            honoured["resourcesListChanged"] = True
        uris = [uri for uri in wanted.get("resourceSubscriptions", []) if self._service.has_resource(str(uri))]
        if uris:
            honoured["resourceSubscriptions"] = uris
        return honoured

    def _check_state(self, method: str, params: Message) -> None:
        """Refuses a retry whose state this server did not give out for this very request."""
        if "inputResponses" not in params and "requestState" not in params:
            return
        if not isinstance(params.get("inputResponses", {}), dict):
            raise RpcError(INVALID_PARAMS, "The inputResponses are an object.")
        if method not in ASKING_METHODS or not self._seal.fits(params.get("requestState"), method, params):
            raise RpcError(INVALID_PARAMS, "The requestState does not belong to this request, or has expired.")

    def _input_required(self, method: str, params: Message, needed: InputRequired) -> Message:
        return {
            "resultType": "input_required",
            "inputRequests": needed.requests,
            "requestState": self._seal.make(method, params),
            "_meta": {SERVER_INFO_KEY: self._service.info},
        }

    def _complete(self, method: str, value: Message) -> Message:
        hints: Message = {}
        if method in CACHE_LIFETIME:
            hints = {"ttlMs": CACHE_LIFETIME[method], "cacheScope": "public"}
        meta = value.get("_meta", {}) | {SERVER_INFO_KEY: self._service.info}
        return {"resultType": "complete", **value, **hints, "_meta": meta}


class Subscription:
    """One open subscriptions/listen."""

    def __init__(self, honoured: Message, meta: Message, stream: Stream) -> None:
        self._honoured = honoured
        self._meta = meta
        self._stream = stream
        self._acknowledged = threading.Lock()

    def open(self, changes: Changes) -> None:
        """Says what the client will be told of; changes from then on are told, and none before it has been said."""
        params = {"notifications": self._honoured, "_meta": self._meta}
        with self._acknowledged:
            changes.listen(self.on_change)
            self._stream.send(notification("notifications/subscriptions/acknowledged", params))

    def on_change(self, change: Change) -> None:
        """Passes a change on, where the client asked for it."""
        with self._acknowledged:
            self._pass_on(change)

    def _pass_on(self, change: Change) -> None:
        if change.uri is None:
            wanted = change.method.endswith("resources/list_changed") and "resourcesListChanged" in self._honoured
            params: Message = {"_meta": self._meta}
        else:
            wanted = change.uri in self._honoured.get("resourceSubscriptions", [])
            params = {"uri": change.uri, "_meta": self._meta}
        if wanted:
            self._stream.send(notification(change.method, params))


class ModernCall:
    """A request, as the service and its tools see it: everything stands in its params."""

    def __init__(self, params: Message, stream: Stream) -> None:
        meta = params["_meta"]
        self.revision: str = meta[VERSION_KEY]
        self._capabilities = meta[CLIENT_CAPABILITIES_KEY]
        self._token = meta.get("progressToken")
        self._responses = params.get("inputResponses", {})
        self._stream = stream

    def progress(self, done: int, total: int, message: str) -> None:
        """Sends a progress notification, where the request carried a token."""
        if self._token is not None:
            params = {"progressToken": self._token, "progress": done, "total": total, "message": message}
            self._stream.send(notification("notifications/progress", params))

    def ask(self, key: str, message: str, schema: Message) -> Message:
        """Returns the answer that the request brought along; without one the request ends as input_required."""
        if key in self._responses:
            answer: Message = self._responses[key]
            if not isinstance(answer, dict) or answer.get("action") not in ("accept", "decline", "cancel"):
                raise RpcError(INVALID_PARAMS, f"The input response {key} is no answer to a form.")
            return answer
        able = self._capabilities.get("elicitation")
        if able is None or (able and "form" not in able):
            needed: Message = {"requiredCapabilities": {"elicitation": {}}}
            raise RpcError(MISSING_CLIENT_CAPABILITY, "This tool has to ask the user.", needed)
        params = {"message": message, "requestedSchema": schema}
        raise InputRequired({key: {"method": "elicitation/create", "params": params}})

    def pause(self, seconds: float) -> None:
        """Waits; raises Cancelled when the request was cancelled."""
        self._stream.pause(seconds)
