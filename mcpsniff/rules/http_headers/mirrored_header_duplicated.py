"""Mirrored headers that stand twice."""

from mcpsniff.protocol.exchange import header_values
from mcpsniff.protocol.mirror import doubled, posted
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, WARNING, Call, Found, Message, Rule, quote


class MirroredHeaderDuplicated(Rule):
    """A header that mirrors the body stands more than once.

    ## Why it matters
    One reader takes the first copy, the next the last, a third joins them: a gateway and a server may read two values.

    ## How to fix
    Set the header instead of adding it.

    ## When it stays silent
    Other headers may be repeated.
    """

    title = "A mirrored header occurs more than once"
    tier = 2
    severity = {"2026-07-28": WARNING}
    since = "2026-07-28"
    violator = CLIENT
    transport = "http"
    spec = {"2026-07-28": "basic/transports/streamable-http#server-validation"}
    confidence = CONTEXTUAL

    def on_request(self, message: Message, call: Call) -> Found:
        exchange = posted(message)
        for name in doubled(exchange) if exchange is not None else ():
            values = ", ".join(f'"{quote(value, 30)}"' for value in header_values(message.exchange.headers, name)[:4])
            text = f"{quote(name)} stands more than once: {values}"
            yield self.found(
                message.exchange, text, related=[message.seq], mark=message.mark, fault=name, where=quote(name)
            )
