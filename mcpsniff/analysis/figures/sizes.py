"""Which bytes count as JSON, and how many of them."""

from __future__ import annotations

from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.message import CLIENT, Message
from mcpsniff.rules.rule import Text


def size_of(message: Message) -> int:
    """Gives the bytes of a message: on stdio the line with its end, over HTTP the JSON text alone."""
    if message.exchange is None or message.truncated:
        return message.size
    return len(message.raw)


def claims_json(text: Text, exchange: HttpExchange) -> bool:
    """Whether the head of a body that is no JSON promises JSON."""
    head = exchange.header if text.sender == CLIENT else exchange.reply_header
    return "json" in (head("content-type") or "").lower()
