"""What the client can play: one function a scenario, and the table of them.

Each says on stdout what it did. They know of the eras only where the eras differ in what a client does.
"""

import json
import queue
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from library.client.connect import Client
from library.client.transport import ANSWER_TIMEOUT, ClientError
from library.jsonrpc import Message, RpcError
from library.librarian import BOOK_URI, CATALOGUE_URI
from library.revisions import SUBSCRIPTION_KEY

EMMA = {"isbn": "9780141439587", "title": "Emma", "author": "Jane Austen"}
MOBY_DICK = "9780142437247"
CALLS = 100
SLOW_PAUSE = 5000  # milliseconds for each book: long enough to be cancelled


@dataclass(frozen=True)
class Scenario:
    """A scenario, and the client capabilities that it needs."""

    play: Callable[[Client], None]
    capabilities: Mapping[str, Any] = field(default_factory=dict)


def tour(client: Client) -> None:
    """Lists and uses one of each: tools, resources, prompts; pings where there are pings."""
    if client.era == "legacy":
        client.call("ping")
    client.call("tools/list")
    _tool(client, "search", query="austen")
    client.call("resources/list")
    client.call("resources/read", {"uri": CATALOGUE_URI})
    client.call("prompts/list")
    client.call("prompts/get", {"name": "recommend", "arguments": {"isbn": MOBY_DICK}})


def call(client: Client) -> None:
    """Calls one tool."""
    _tool(client, "search", query="austen")


def calls(client: Client) -> None:
    """Calls the smallest tool a hundred times, for the cost of a call."""
    for _ in range(CALLS):
        client.call("tools/call", {"name": "echo", "arguments": {"text": "hi"}})
    print(f"  {CALLS} calls of echo")


def confirm(client: Client) -> None:
    """Removes a book, for which the server wants the user's word."""
    _tool(client, "remove_book", isbn=MOBY_DICK)


def lists(client: Client) -> None:
    """Keeps a reading list by its handle."""
    handle = json.loads(_tool(client, "create_reading_list", name="Winter"))["list_id"]
    _tool(client, "add_to_list", list_id=handle, isbn=MOBY_DICK)
    _tool(client, "get_list", list_id=handle)


def errors(client: Client) -> None:
    """Fails in two ways: inside a tool, which is a result, and before any tool, which is an error."""
    _tool(client, "get_list", list_id="no-such-list")
    for method, params in (
        ("tools/call", {"name": "borrow", "arguments": {}}),
        ("resources/read", {"uri": BOOK_URI + "0000000000000"}),
        ("prompts/get", {"name": "recommend", "arguments": {}}),
        ("library/opening_hours", {}),
    ):
        try:
            client.call(method, params)
        except RpcError as error:
            print(f"  {method}: error {error.code}, {error.message}")


def pages(client: Client) -> None:
    """Walks a list page by page; the server decides how long a page is."""
    cursor: Message = {}
    while True:
        page = client.call("resources/list", cursor or None)
        print(f"  a page of {len(page['resources'])} resources")
        if "nextCursor" not in page:
            return
        cursor = {"cursor": page["nextCursor"]}


def progress(client: Client) -> None:
    """Exports the catalogue and is told how far it is."""
    export = {"name": "export_catalogue", "arguments": {}}
    client.call("tools/call", export, token="export-1")
    for notification in _arrived(client):
        print(f"  {notification['params']['progress']} of {notification['params']['total']}")


def cancel(client: Client) -> None:
    """Begins a slow export, cancels it at the first sign of progress, and goes on with something else."""
    export = {"name": "export_catalogue", "arguments": {"pause_ms": SLOW_PAUSE}}
    pending = client.start("tools/call", export, token="export-1")
    _next(client)
    client.cancel(pending)
    _tool(client, "search", query="moby")


def changes(client: Client) -> None:
    """Subscribes to the catalogue, changes it, and is told."""
    subscribe = _listen if client.era == "modern" else _subscribe
    unsubscribe = subscribe(client)
    _tool(client, "donate_book", **EMMA)
    for _ in range(2):
        notification = _next(client)
        print(f"  told: {notification['method']}")
    unsubscribe()
    _tool(client, "search", query="emma")


def listen(client: Client) -> None:
    """Subscribes as `changes` does and leaves the subscription open for the server to end."""
    _listen(client)
    _tool(client, "donate_book", **EMMA)


def diary(client: Client) -> None:
    """Uses the calendar server: a search like the library's, and a tool that is not what it claims."""
    client.call("tools/list")
    _tool(client, "search", query="moby")
    _tool(client, "tidy_up")
    _tool(client, "search", query="moby")


def memory(client: Client) -> None:
    """Lets a server of the handshake era remember one thing after the other: level, subscription, question."""
    client.call("logging/setLevel", {"level": "info"})
    client.call("resources/subscribe", {"uri": CATALOGUE_URI})
    confirm(client)


_ASKS: Message = {"elicitation": {}}

SCENARIOS = {
    "tour": Scenario(tour),
    "call": Scenario(call),
    "calls": Scenario(calls),
    "confirm": Scenario(confirm, _ASKS),
    "lists": Scenario(lists),
    "errors": Scenario(errors),
    "pages": Scenario(pages),
    "progress": Scenario(progress),
    "cancel": Scenario(cancel),
    "changes": Scenario(changes),
    "listen": Scenario(listen),
    "memory": Scenario(memory, _ASKS),
    "diary": Scenario(diary),
}


def _tool(client: Client, tool: str, /, **arguments: str) -> str:
    """Calls a tool, shows the text that came back and returns it (all revisions have it)."""
    result = client.call("tools/call", {"name": tool, "arguments": arguments})
    text: str = result["content"][0]["text"]
    print(f"  {tool}: {'failed: ' if result.get('isError') else ''}{text}")
    return text


def _next(client: Client) -> Message:
    """Returns the next notification of the server, waiting for it."""
    try:
        return client.notifications.get(timeout=ANSWER_TIMEOUT)
    except queue.Empty:
        raise ClientError(f"The server has sent no notification within {ANSWER_TIMEOUT:g} seconds.") from None


def _arrived(client: Client) -> Iterator[Message]:
    while not client.notifications.empty():
        yield client.notifications.get()


def _listen(client: Client) -> Callable[[], None]:
    wanted = {"resourcesListChanged": True, "resourceSubscriptions": [CATALOGUE_URI]}
    pending = client.start("subscriptions/listen", {"notifications": wanted})
    acknowledged = _next(client)
    print(f"  subscribed with {acknowledged['params']['_meta'][SUBSCRIPTION_KEY]!r}")
    return lambda: client.cancel(pending)


def _subscribe(client: Client) -> Callable[[], None]:
    client.transport.open_standing_stream()
    client.call("resources/subscribe", {"uri": CATALOGUE_URI})

    def unsubscribe() -> None:
        client.call("resources/unsubscribe", {"uri": CATALOGUE_URI})

    return unsubscribe
