"""The status of a refused Origin."""

import re

from mcpsniff.rules.rule import CONTEXTUAL, ERROR, SERVER, Found, HttpExchange, Rule, quote

NAMED = re.compile(r"\borigins?\b", re.IGNORECASE)


class HttpOriginRejectionStatus(Rule):
    """A request was refused for its Origin header with another status than 403.

    ## Why it matters
    A client that gets 400 or 404 looks for the fault in its message or its session.

    ## How to fix
    Answer 403; the body may be a JSON-RPC error without id.

    ## When it stays silent
    401, refusals that do not name the Origin or that are about the Host header, and earlier revisions, which leave the
    status open.
    """

    title = "Bad Origin refused with a status other than 403"
    tier = 2
    severity = {"2025-11-25": ERROR}
    since, until = "2025-11-25", "2025-11-25"
    violator = SERVER
    transport = "http"
    spec = {"2025-11-25": "basic/transports#security-warning"}
    confidence = CONTEXTUAL

    def on_close(self, exchange: HttpExchange) -> Found:
        origin, status = exchange.header("origin"), exchange.status or 0
        if origin is None or status < 400 or status in (401, 403):
            return
        body = _body(exchange)
        if NAMED.search(body) and not re.search(r"\bhost\b", body, re.IGNORECASE):
            text = f'origin "{quote(origin)}" was refused with {status}, not 403: "{quote(body, 60)}"'
            yield self.found(exchange, text, seq=exchange.reply_seq, related=[exchange.seq], where="Origin")


def _body(exchange: HttpExchange) -> str:
    """Gives what the server says in the body."""
    if exchange.final is not None:
        message = exchange.final.error.get("message")
        return message if isinstance(message, str) else ""
    return next((text for sender, _, text in exchange.texts if sender == SERVER), "")
