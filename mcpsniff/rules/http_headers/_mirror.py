"""What is wrong with the headers that must mirror a modern request's body; shared by the rules of this folder."""

from __future__ import annotations

from dataclasses import dataclass

from mcpsniff.protocol.era import Framing
from mcpsniff.protocol.exchange import HttpExchange, header_values
from mcpsniff.protocol.headers import decode_value, mirrored
from mcpsniff.protocol.message import CLIENT, Kind, Message

VERSION, METHOD, NAME = "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"


@dataclass(frozen=True, slots=True)
class Fault:
    """One header that is missing or wrong."""

    header: str
    kind: str  # "missing", "broken" (base64 that does not decode) or "differs"
    sent: str
    body: str

    def __str__(self) -> str:
        return f"{self.header} {self.kind}"


def posted(message: Message) -> HttpExchange | None:
    """Gives the exchange of a modern request that was posted alone, where its headers are known."""
    exchange: HttpExchange | None = message.exchange
    if exchange is None or exchange.method != "POST" or not exchange.headers or message.batch:
        return None
    modern = message.sender == CLIENT and message.kind is Kind.REQUEST and message.mark.framing is Framing.MODERN
    return exchange if modern else None


def faults(message: Message) -> list[Fault]:
    """Gives the certain faults of a modern request's mirrored headers."""
    exchange = posted(message)
    if exchange is None:
        return []
    found = (fault_of(exchange, header, body) for header, body in mirrored(message).items())
    return [fault for fault in found if fault is not None]


def lacks_version(found: list[Fault]) -> bool:
    """Whether the version is missing: a server of both eras may take such a request for one of 2025-03-26."""
    return any(fault.header == VERSION and fault.kind == "missing" for fault in found)


def fault_of(exchange: HttpExchange, header: str, body: str) -> Fault | None:
    """Gives what is wrong with a header that must mirror this value of the body."""
    values = header_values(exchange.headers, header)
    if not values or (header == VERSION and not any(values)):
        return Fault(header, "missing", "", body)
    if len(values) > 1 or not values[0].isascii():  # faults of their own
        return None
    sent = decode_value(values[0]) if header == NAME else values[0]
    if sent is None:
        return Fault(header, "broken", values[0], body)
    return Fault(header, "differs", values[0], body) if sent != body else None
