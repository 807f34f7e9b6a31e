"""Deliberate faults, so that there is something to find: never copied into a server of one's own.

Each fault is one class around the conforming thing that it spoils.
"""

from collections.abc import Iterable

from library.jsonrpc import Message, request
from library.modern import ModernServer
from library.streams import Stream


class NoisyServer(ModernServer):
    """Prints on stdout, where over stdio only messages belong."""

    def handle(self, message: Message, stream: Stream) -> Message | None:
        """Answers, and babbles about it."""
        print(f"DEBUG serving {message['method']}", flush=True)
        return super().handle(message, stream)


class ImpatientServer(ModernServer):
    """Sends a request to the client, as servers did in the handshake era, besides asking by its result."""

    def handle(self, message: Message, stream: Stream) -> Message | None:
        """Answers, with a request ahead of the answer where something is to be asked."""
        response = super().handle(message, stream)
        asked = (response or {}).get("result", {}).get("inputRequests", {})
        for key, question in asked.items():
            stream.send(request(f"server-{key}", question["method"], question["params"]))
        return response


SERVER_FAULTS: dict[str, type[ModernServer]] = {"noise": NoisyServer, "server-request": ImpatientServer}


def modern_class(faults: Iterable[str]) -> type[ModernServer]:
    """Returns the class of a server with these faults, the conforming one where there are none."""
    spoiled = tuple(SERVER_FAULTS[fault] for fault in faults)
    return type("FaultyServer", spoiled, {}) if spoiled else ModernServer
