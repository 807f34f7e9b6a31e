"""The client's side of the stateless era: an envelope on every request, and retries that bring input along."""

import queue
from collections.abc import Iterator

from library.client.transport import ClientError, Pending, Profile, Transport
from library.client.user import answer_input
from library.jsonrpc import MODERN_ERRORS, UNSUPPORTED_VERSION, Message, RpcError, is_request, notification, request
from library.revisions import (
    CLIENT_CAPABILITIES_KEY,
    CLIENT_INFO_KEY,
    MODERN,
    NEWEST_MODERN,
    VERSION_KEY,
    is_modern,
    newest_common,
)

MOST_ROUNDS = 10  # how often one call may ask for input


class ModernClient:
    """A client of 2026-07-28; `reuses_retry_id` is a deliberate fault."""

    era = "modern"

    def __init__(
        self, transport: Transport, profile: Profile, ids: Iterator[int], reuses_retry_id: bool = False
    ) -> None:
        self.notifications: queue.Queue[Message] = queue.Queue()
        self.transport = transport
        self._profile = profile
        self._ids = ids
        self._reuses_retry_id = reuses_retry_id
        self._version = profile.offer or NEWEST_MODERN
        transport.on_message = self._take

    def discover(self, timeout: float) -> None:
        """Asks the server what it speaks and settles on the newest common version; RpcError as it answers."""
        pending = self.start("server/discover")
        try:
            supported = pending.result(timeout)["supportedVersions"]
        except RpcError as error:
            self._adopt_common_version(error)
            supported = self.start("server/discover").result(timeout)["supportedVersions"]
        common = newest_common(MODERN, supported)
        if common is None:
            raise no_common_version(supported)
        self._version = common

    def call(self, method: str, params: Message | None = None, token: str | None = None) -> Message:
        """Returns the final result of a request, having given the server what it asked for."""
        try:
            pending = self.start(method, params, token)
            result = pending.result()
        except RpcError as error:
            self._adopt_common_version(error)
            pending = self.start(method, params, token)
            result = pending.result()
        for _ in range(MOST_ROUNDS):
            # An absent resultType is how an earlier revision says "complete".
            if result.get("resultType", "complete") != "input_required":
                return result
            id = pending.id if self._reuses_retry_id else None
            pending = self.start(method, {**(params or {}), **self._input_for(result)}, token, id)
            result = pending.result()
        raise ClientError(f"The server still asks for input after {MOST_ROUNDS} rounds of {method}.")

    def start(
        self, method: str, params: Message | None = None, token: str | None = None, id: str | int | None = None
    ) -> Pending:
        """Sends one request with its envelope and returns at once."""
        meta: Message = {VERSION_KEY: self._version}
        if self._profile.sends_info:
            meta[CLIENT_INFO_KEY] = self._profile.info()
        meta[CLIENT_CAPABILITIES_KEY] = dict(self._profile.capabilities)
        if token is not None:
            meta["progressToken"] = token
        fresh = next(self._ids) if id is None else id
        return self.transport.start(request(fresh, method, {**(params or {}), "_meta": meta}))

    def cancel(self, pending: Pending) -> None:
        """Cancels a request: over HTTP by closing its stream, over stdio by a notification."""
        if self.transport.closing_cancels:
            pending.abandon()
        else:
            params = {"requestId": pending.id, "reason": "The user has changed their mind."}
            self.transport.send(notification("notifications/cancelled", params))

    def close(self) -> None:
        """Leaves; there is nothing to take back."""
        self.transport.close()

    def _adopt_common_version(self, error: RpcError) -> None:
        """Takes the newest version that both speak after a refusal for its version; raises any other again."""
        if error.code != UNSUPPORTED_VERSION:
            raise error
        supported = (error.data or {}).get("supported", [])
        common = newest_common(MODERN, supported)
        if common is None or common == self._version:
            raise error
        self._version = common

    def _input_for(self, result: Message) -> Message:
        """Returns what a retry brings along: an answer to each question, and the server's state as it was."""
        able = self._profile.capabilities
        questions = result.get("inputRequests", {})
        answers = {key: answer_input(asked["method"], asked["params"], able) for key, asked in questions.items()}
        brought: Message = {"inputResponses": answers} if answers else {}
        if "requestState" in result:
            brought["requestState"] = result["requestState"]
        return brought

    def _take(self, message: Message) -> None:
        """Keeps notifications; a request has no place in this era, and a client does not answer it."""
        if is_request(message):
            print(f"  ignored a request of the server: {message['method']}")
        else:
            self.notifications.put(message)


def proves_modern(error: RpcError) -> bool:
    """Tells whether a refused probe came from a server of this era all the same."""
    if error.code == UNSUPPORTED_VERSION:
        return any(map(is_modern, (error.data or {}).get("supported", [])))
    return error.code in MODERN_ERRORS


def no_common_version(supported: list[str]) -> ClientError:
    """Returns the error for a server with which there is no version in common."""
    ours, theirs = ", ".join(MODERN), ", ".join(supported)
    return ClientError(f"There is no common version: the client speaks {ours}, the server {theirs}.")
