"""What 2026-07-28 removed, replaced or newly requires, by the side that has to change: one table.

A sign is a method, or a habit named in words. Finding signs in messages and exchanges is for whoever reads the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .exchange import HttpExchange
from .message import CLIENT, SERVER, Kind, Message
from .revisions import CACHEABLE, META_CLIENT_CAPABILITIES, META_VERSION, URL_ELICITATION_REQUIRED

GONE, REPLACED, REQUIRED = "removed", "replaced", "newly required"

ENVELOPE_MISSING = "requests without protocolVersion and clientCapabilities in _meta"
TASK_MEMBER = "the task member of params"
RESULT_TYPE_MISSING = "results without resultType"
CACHE_HINTS_MISSING = "cacheable results without ttlMs and cacheScope"
NOT_FOUND_CODE = "error -32002 for a resource that is not there"
URL_CODE = "error -32042"
GET_STREAM = "a GET for events"
DELETE_SESSION = "DELETE of the session"
SENT_SESSION = "Mcp-Session-Id in requests"
GIVEN_SESSION = "Mcp-Session-Id in responses"
RESUMPTION = "Last-Event-ID"
METHOD_HEADER_MISSING = "POSTs without Mcp-Method"
EVENT_IDS = "ids of events"

_OLD_NOT_FOUND = -32002
_LISTEN = "ask for it with subscriptions/listen"
_TASKS = "tasks are an extension with tasks/get, tasks/update and tasks/cancel"
_ASK = "answer the client's request with resultType input_required and the question in inputRequests"
_STREAM = "send it on the stream of a subscriptions/listen alone, with the subscription's id in _meta"
_NO_SESSIONS = "there are no sessions: hand out handles as results, and take them as arguments"


@dataclass(frozen=True, slots=True)
class Change:
    """What became of something, and what to do."""

    kind: str
    instead: str


CHANGES: Mapping[tuple[str, str], Change] = {
    (CLIENT, "initialize"): Change(
        GONE, "begin at once, or with server/discover; say version and capabilities each time"
    ),
    (CLIENT, "notifications/initialized"): Change(GONE, "there is no handshake to conclude"),
    (CLIENT, "ping"): Change(GONE, "leave it; any request shows whether the server lives"),
    (CLIENT, "logging/setLevel"): Change(REPLACED, "say io.modelcontextprotocol/logLevel in _meta of each request"),
    (CLIENT, "resources/subscribe"): Change(REPLACED, _LISTEN),
    (CLIENT, "resources/unsubscribe"): Change(REPLACED, "end the subscriptions/listen"),
    (CLIENT, "tasks/get"): Change(REPLACED, _TASKS),
    (CLIENT, "tasks/cancel"): Change(REPLACED, _TASKS),
    (CLIENT, "tasks/result"): Change(GONE, _TASKS),
    (CLIENT, "tasks/list"): Change(GONE, _TASKS),
    (CLIENT, "notifications/tasks/status"): Change(GONE, _TASKS),
    (CLIENT, "notifications/roots/list_changed"): Change(GONE, "roots are told when a server asks for them"),
    (CLIENT, "notifications/progress"): Change(GONE, "servers ask for nothing that could progress"),
    (CLIENT, ENVELOPE_MISSING): Change(REQUIRED, "put both into every request, lists included"),
    (CLIENT, TASK_MEMBER): Change(GONE, _TASKS),
    (CLIENT, GET_STREAM): Change(GONE, _LISTEN),
    (CLIENT, DELETE_SESSION): Change(GONE, "there is no session to end"),
    (CLIENT, SENT_SESSION): Change(GONE, _NO_SESSIONS),
    (CLIENT, RESUMPTION): Change(GONE, "send the request again, with a new id"),
    (CLIENT, METHOD_HEADER_MISSING): Change(REQUIRED, "mirror the method in Mcp-Method, and the name in Mcp-Name"),
    (SERVER, "ping"): Change(GONE, "servers send no requests"),
    (SERVER, "sampling/createMessage"): Change(REPLACED, _ASK),
    (SERVER, "elicitation/create"): Change(REPLACED, _ASK),
    (SERVER, "roots/list"): Change(REPLACED, _ASK),
    (SERVER, "tasks/get"): Change(GONE, "servers send no requests"),
    (SERVER, "tasks/result"): Change(GONE, "servers send no requests"),
    (SERVER, "tasks/list"): Change(GONE, "servers send no requests"),
    (SERVER, "tasks/cancel"): Change(GONE, "servers send no requests"),
    (SERVER, "notifications/elicitation/complete"): Change(GONE, "the client retries when the user is done"),
    (SERVER, "notifications/tasks/status"): Change(REPLACED, "notifications/tasks, on a subscription"),
    (SERVER, "notifications/tools/list_changed"): Change(REPLACED, _STREAM),
    (SERVER, "notifications/prompts/list_changed"): Change(REPLACED, _STREAM),
    (SERVER, "notifications/resources/list_changed"): Change(REPLACED, _STREAM),
    (SERVER, "notifications/resources/updated"): Change(REPLACED, _STREAM),
    (SERVER, RESULT_TYPE_MISSING): Change(REQUIRED, "put resultType into every result"),
    (SERVER, CACHE_HINTS_MISSING): Change(REQUIRED, "put both into lists, resources and the answer to server/discover"),
    (SERVER, NOT_FOUND_CODE): Change(REPLACED, "answer with -32602"),
    (SERVER, URL_CODE): Change(GONE, _ASK),
    (SERVER, GIVEN_SESSION): Change(GONE, _NO_SESSIONS),
    (SERVER, EVENT_IDS): Change(GONE, "streams cannot be resumed"),
}


def in_message(message: Message, answered: str | None = None) -> Iterator[str]:
    """Gives the signs in a message; `answered` is the method of the request that it answers."""
    if message.method is not None:
        yield message.method
    if message.kind is Kind.REQUEST:
        yield from _in_request(message)
    elif message.kind is Kind.RESULT:
        if "resultType" not in message.result:
            yield RESULT_TYPE_MISSING
        if answered in CACHEABLE and not {"ttlMs", "cacheScope"} <= message.result.keys():
            yield CACHE_HINTS_MISSING
    elif message.kind is Kind.ERROR:
        if message.code == _OLD_NOT_FOUND and answered == "resources/read":
            yield NOT_FOUND_CODE
        if message.code == URL_ELICITATION_REQUIRED:
            yield URL_CODE


def _in_request(message: Message) -> Iterator[str]:
    if not {META_VERSION, META_CLIENT_CAPABILITIES} <= message.meta.keys():
        yield ENVELOPE_MISSING
    if "task" in message.params:
        yield TASK_MEMBER


def in_request_head(exchange: HttpExchange) -> Iterator[str]:
    """Gives the signs in the head of an HTTP request."""
    if exchange.method == "GET":
        yield GET_STREAM
    if exchange.method == "DELETE":
        yield DELETE_SESSION
    if exchange.method == "POST" and exchange.header("mcp-method") is None:
        yield METHOD_HEADER_MISSING
    if exchange.header("mcp-session-id") is not None:
        yield SENT_SESSION
    if exchange.header("last-event-id") is not None:
        yield RESUMPTION
