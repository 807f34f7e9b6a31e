"""Servers that refuse a right Accept header."""

from mcpsniff.protocol.headers import EVENT_STREAM, JSON, accepted, covers
from mcpsniff.rules.rule import ERROR, SERVER, Found, HttpExchange, Rule, quote


class Http406DespiteAccept(Rule):
    """A POST whose Accept names both media types was refused with 406.

    ## Why it matters
    The client did what the transport asks for and cannot connect.

    ## How to fix
    Parse Accept as RFC 9110 says: order, parameters, quality and wildcards do not matter as long as both are covered.

    ## When it stays silent
    Where one of the two is missing or has quality 0, the client is at fault (http-accept-missing).
    """

    title = "406 although Accept names both media types"
    tier = 2
    severity = {"2024-11-05": ERROR}
    violator = SERVER
    transport = "http"
    spec = {
        "2024-11-05": "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.7",
        "2025-03-26": "basic/transports#sending-messages-to-the-server",
        "2026-07-28": "basic/transports/streamable-http#sending-messages",
    }

    def on_reply(self, exchange: HttpExchange) -> Found:
        if exchange.method != "POST" or exchange.status != 406 or exchange.reply_seq is None:
            return
        ranges = accepted(exchange)
        if all(wanted in ranges or covers(ranges, wanted) for wanted in (JSON, EVENT_STREAM)):
            text = f'406 to a POST with Accept "{quote(exchange.header("accept"))}"'
            yield self.found(exchange, text, seq=exchange.reply_seq, related=[exchange.seq])
