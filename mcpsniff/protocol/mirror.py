"""What is wrong with the headers that must mirror a modern request's body (2026-07-28).

Streamable HTTP, "Standard request headers", "Custom headers from tool parameters", "Value encoding". A fault of an
Mcp-Param header is certain only by the tool's definition as this client knew it when it called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from .exchange import HttpExchange, header_values
from .headers import decode_value, is_sentinel, mirrored
from .marks import Framing
from .message import CLIENT, Kind, Message
from .paramheaders import PREFIX, argument

if TYPE_CHECKING:
    from .lists import Lists

VERSION, METHOD, NAME = "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"
MISSING, DIFFERS = "missing", "differs"
BROKEN = "broken"  # base64 that does not decode
UNSAFE = "unsafe"  # sent raw, although it needs base64
AMBIGUOUS = "ambiguous"  # a literal value that looks like base64, sent raw
UNEXPECTED = "unexpected"  # for an argument that is absent

_NUMBER = re.compile(r"-?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,3})?", re.ASCII)
_UNSAFE = re.compile(r"[^\t\x20-\x7e]")

Scalar = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Fault:
    """One header that is missing or wrong."""

    header: str
    kind: str
    sent: str
    body: Scalar | None

    @property
    def of_param(self) -> bool:
        """Whether it is a header that mirrors an argument."""
        return self.header.startswith(PREFIX)

    def __str__(self) -> str:
        return f"{self.header} {self.kind}"


def posted(message: Message) -> HttpExchange | None:
    """Gives the exchange of a modern request that was posted alone, where its headers are known."""
    exchange: HttpExchange | None = message.exchange
    if exchange is None or exchange.method != "POST" or not exchange.headers or message.batch or message.truncated:
        return None
    modern = message.sender == CLIENT and message.kind is Kind.REQUEST and message.mark.framing is Framing.MODERN
    return exchange if modern else None


def faults(message: Message, lists: Lists) -> tuple[Fault, ...]:
    """Gives the certain faults of a modern request's mirrored headers; `lists` as they stood when it was sent."""
    exchange = posted(message)
    if exchange is None:
        return ()
    found = [fault_of(exchange, header, body) for header, body in mirrored(message).items()]
    if message.method == "tools/call":
        found.extend(_param_faults(exchange, message, lists))
    return tuple(fault for fault in found if fault is not None)


def lacks_version(found: tuple[Fault, ...]) -> bool:
    """Whether the version is missing: a server of both eras may take such a request for one of 2025-03-26."""
    return any(fault.header == VERSION and fault.kind == MISSING for fault in found)


def doubled(exchange: HttpExchange) -> list[str]:
    """Gives the mirrored headers that stand more than once, in lower case."""
    names = [name.lower() for name, _ in exchange.headers]
    mirrors = (VERSION.lower(), METHOD.lower(), NAME.lower())
    ours = (name for name in dict.fromkeys(names) if name in mirrors or name.startswith(PREFIX.lower()))
    return [name for name in ours if names.count(name) > 1]


def fault_of(exchange: HttpExchange, header: str, body: Scalar) -> Fault | None:
    """Gives what is wrong with a header that must mirror this value of the body; None also where it stands twice."""
    values = header_values(exchange.headers, header)
    if not values or (header == VERSION and not any(values)):
        return Fault(header, MISSING, "", body)
    if len(values) > 1:
        return None
    kind = _plain_kind(values[0], body) if header in (VERSION, METHOD) else _encoded_kind(values[0], body)
    return Fault(header, kind, values[0], body) if kind is not None else None


def _plain_kind(sent: str, body: Scalar) -> str | None:
    return DIFFERS if sent != body else None


def _encoded_kind(sent: str, body: Scalar) -> str | None:
    """Gives what is wrong with a value that may be in base64."""
    if is_sentinel(sent):
        if sent == body:
            return AMBIGUOUS
        meant = decode_value(sent)
        return BROKEN if meant is None else _difference(meant, body)
    raw = isinstance(body, str) and (_UNSAFE.search(body) or body != body.strip(" \t"))
    return UNSAFE if raw or _UNSAFE.search(sent) else _difference(sent, body)


def _difference(meant: str, body: Scalar) -> str | None:
    if isinstance(body, bool):
        same = meant == ("true" if body else "false")
    elif isinstance(body, (int, float)):
        same = _NUMBER.fullmatch(meant) is not None and Decimal(meant) == Decimal(str(body))
    else:
        same = meant == body
    return None if same else DIFFERS


def _param_faults(exchange: HttpExchange, message: Message, lists: Lists) -> Iterator[Fault | None]:
    tool = lists.known_tool(message.params.get("name"))
    if tool is None or tool.annotated.faulty:  # then the whole tool must be dropped
        return
    for annotation in tool.annotated.valid:
        value = argument(message.params.get("arguments"), annotation.path or ())
        if value is None:
            sent = header_values(exchange.headers, annotation.header)
            yield Fault(annotation.header, UNEXPECTED, sent[0], None) if sent else None
        elif isinstance(value, (str, int, float, bool)):
            yield fault_of(exchange, annotation.header, value)
