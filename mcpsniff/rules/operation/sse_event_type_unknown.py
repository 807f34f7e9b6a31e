"""Events that nobody listens for."""

from collections.abc import Mapping
from typing import Any

from mcpsniff.rules.rule import INFO, SERVER, Found, HttpExchange, Message, Moment, Place, Rule, Text, quote
from mcpsniff.rules.when import odd, when

KNOWN = (None, "", "message", "endpoint")


class SseEventTypeUnknown(Rule):
    """A stream carries an event of a type that MCP does not know, and its data are no JSON-RPC message.

    ## Why it matters
    Clients ignore it: harmless as a keep-alive, useless as anything else.

    ## How to fix
    Send keep-alives as comments, lines that begin with a colon.

    ## When it stays silent
    A JSON-RPC message under a wrong type is sse-message-event-type.
    """

    title = "SSE event of an unknown type"
    tier = 2
    severity = {"2024-11-05": INFO}
    violator = SERVER
    transport = "http"
    spec = {
        "2024-11-05": "basic/transports#http-with-sse",
        "2025-03-26": "basic/transports#streamable-http",
        "2026-07-28": "basic/transports/streamable-http#receiving-messages",
    }

    def on_text(self, text: Text) -> Found:
        if text.sender == SERVER and text.sse is not None:
            yield from self._judge(text, text.sse, text.text)

    @when(odd)
    def on_object(self, message: Message) -> Found:
        if message.sender == SERVER and message.sse is not None and not message.has_envelope:
            yield from self._judge(message, message.sse, message.raw.decode("utf-8", "replace"))

    def on_sse(self, block: Any, exchange: HttpExchange) -> Found:
        if block.data is not None and not block.unfinished:
            place = Moment(block.seq, block.t)
            place.mark = exchange.mark
            yield from self._judge(place, {"event": block.event}, block.data)

    def _judge(self, place: Place, fields: Mapping[str, Any], data: str) -> Found:
        kind = fields.get("event")
        if kind not in KNOWN:
            text = f'an event of type "{quote(kind, 40)}" with the data "{quote(data, 60)}"'
            yield self.found(place, text, fault=str(kind)[:40])
