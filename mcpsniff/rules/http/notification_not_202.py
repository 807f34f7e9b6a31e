"""How notifications are taken."""

from mcpsniff.protocol.message import Kind
from mcpsniff.rules.rule import ERROR, SERVER, Found, HttpExchange, Rule

ONE_WAY = frozenset((Kind.NOTIFICATION, Kind.RESULT, Kind.ERROR))


class NotificationNot202(Rule):
    """A POST of notifications or responses was accepted with another status than 202.

    ## Why it matters
    Clients take 202 for "accepted, nothing follows"; with 200 they wait for a body, and some fail on its absence.

    ## How to fix
    Answer 202 without a body; to refuse, an HTTP error status.

    ## When it stays silent
    Error statuses are refusals and redirects are none of it. A body that holds a request is answered like one.
    """

    title = "An accepted notification was not answered with 202"
    severity = {"2025-03-26": ERROR}
    since = "2025-03-26"
    violator = SERVER
    transport = "http"
    spec = {
        "2025-03-26": "basic/transports#sending-messages-to-the-server",
        "2026-07-28": "basic/transports/streamable-http#sending-messages",
    }

    def on_close(self, exchange: HttpExchange) -> Found:
        parts, status = exchange.parts, exchange.status
        if exchange.method != "POST" or not parts or status is None or not 200 <= status < 300:
            return
        if any(part.kind not in ONE_WAY for part in parts):
            return
        refused = exchange.final is not None and exchange.final.kind is Kind.ERROR
        if status != 202 or refused:
            what = parts[0].method or "a response"
            how = "with a JSON-RPC error in the body: a refusal needs an error status" if refused else "not 202"
            related = [parts[0].seq, exchange.final.seq if exchange.final is not None else None]
            yield self.found(exchange, f"{what} was answered {status}, {how}", seq=exchange.reply_seq, related=related)
