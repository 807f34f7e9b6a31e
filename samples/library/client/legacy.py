"""The client's side of the handshake era: initialize, initialized, then work; it answers the server's requests."""

import queue
from collections.abc import Iterator

from library.client.transport import ANSWER_TIMEOUT, ClientError, HttpRefusal, Pending, Profile, Transport
from library.client.user import answer_input
from library.jsonrpc import (
    UNSUPPORTED_VERSION,
    Message,
    RpcError,
    failure,
    is_request,
    notification,
    request,
    result,
)
from library.revisions import LEGACY, NEWEST_LEGACY

# Refusals of a POST after which an older server of the HTTP+SSE transport may be there.
_MAYBE_OLD_SSE = frozenset({400, 404, 405})


class LegacyClient:
    """A client of 2024-11-05 to 2025-11-25."""

    era = "legacy"

    def __init__(self, transport: Transport, profile: Profile, ids: Iterator[int]) -> None:
        self.notifications: queue.Queue[Message] = queue.Queue()
        self.transport = transport
        self._profile = profile
        self._ids = ids
        transport.on_message = self._take

    def open(self) -> None:
        """Shakes hands; ClientError where the server refuses or answers with a version unknown here."""
        pending, revision = self._initialize()
        if revision not in LEGACY:
            raise ClientError(f"There is no common version: the server wants to speak {revision}.")
        self.transport.begin_session(pending, revision)
        self.transport.send(notification("notifications/initialized"))

    def call(self, method: str, params: Message | None = None, token: str | None = None) -> Message:
        """Returns the result of a request, having answered what the server asked meanwhile."""
        return self.start(method, params, token).result()

    def start(self, method: str, params: Message | None = None, token: str | None = None) -> Pending:
        """Sends a request and returns at once."""
        if token is not None:
            params = {**(params or {}), "_meta": {"progressToken": token}}
        return self.transport.start(request(next(self._ids), method, params))

    def cancel(self, pending: Pending) -> None:
        """Cancels a request by a notification, whatever the transport."""
        params = {"requestId": pending.id, "reason": "The user has changed their mind."}
        self.transport.send(notification("notifications/cancelled", params))

    def close(self) -> None:
        """Ends the session."""
        self.transport.close()

    def _take(self, message: Message) -> None:
        if is_request(message):
            self.transport.send(self._answer(message))
        else:
            self.notifications.put(message)

    def _answer(self, asked: Message) -> Message:
        if asked["method"] == "ping":
            return result(asked["id"], {})
        try:
            return result(asked["id"], self._input(asked))
        except RpcError as error:
            return failure(asked["id"], error)

    def _input(self, asked: Message) -> Message:
        return answer_input(asked["method"], asked.get("params", {}), self._profile.capabilities)

    def _initialize(self) -> tuple[Pending, str]:
        """Returns the answered initialize and its revision, over an older transport where the first is refused."""
        params = {
            "protocolVersion": self._profile.offer or NEWEST_LEGACY,
            "capabilities": dict(self._profile.capabilities),
            "clientInfo": self._profile.info(),
        }
        pending = self.transport.start(request(next(self._ids), "initialize", params))
        try:
            return pending, pending.result(ANSWER_TIMEOUT)["protocolVersion"]
        except RpcError as error:
            raise _refused(error) from error
        except HttpRefusal as refusal:
            older = self.transport.older() if refusal.status in _MAYBE_OLD_SSE else None
            if older is None:
                raise ClientError(f"The server refuses initialize with HTTP status {refusal.status}.") from refusal
        self.transport = older
        older.on_message = self._take
        return self._initialize()


def _refused(error: RpcError) -> ClientError:
    supported = (error.data or {}).get("supported", [])
    if error.code == UNSUPPORTED_VERSION and supported:
        return ClientError(
            f"The server refuses initialize and speaks only {', '.join(supported)}; "
            f"this client speaks nothing newer than {NEWEST_LEGACY}."
        )
    return ClientError(f"The server refuses initialize with error {error.code}: {error.message}")
