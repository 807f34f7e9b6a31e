"""Web pages that reach a local server."""

from ipaddress import ip_address

from mcpsniff.protocol.exchange import split_url
from mcpsniff.protocol.revisions import LEGACY, MODERN, REVISIONS
from mcpsniff.rules.rule import ERROR, HEURISTIC, INFO, SERVER, Found, HttpExchange, Rule, quote

METHODS = ("POST", "GET", "DELETE")
FOREIGN = ((None, REVISIONS),)  # severity where it is not the rule's own, and revisions
NULL = ((None, LEGACY), (INFO, (MODERN,)))


class ForeignOriginAccepted(Rule):
    """A server on this machine, or in a private network, accepted a request that a foreign web page made.

    ## Why it matters
    Any page in a browser can reach a local server (DNS rebinding); the Origin header is what tells it from a client.

    ## How to fix
    Refuse origins that are not on a list with 403.

    ## When it stays silent
    Requests without an Origin, from pages on this machine or on the server's own host, and servers on public addresses.
    The origin may be on the server's list, which the wire does not show. In 2026-07-28 the origin `null` is reported as
    information.
    """

    title = "A loopback server accepted a request from a foreign web origin"
    tier = 3
    severity = {"2024-11-05": ERROR}
    violator = SERVER
    transport = "http"
    spec = {
        "2024-11-05": "basic/transports#security-warning",
        "2026-07-28": "basic/transports/streamable-http#security-endpoint",
    }
    confidence = HEURISTIC

    def on_close(self, exchange: HttpExchange) -> Found:
        origin, host = exchange.header("origin"), split_url(exchange.url).hostname or ""
        if origin is None or not exchange.succeeded or exchange.method not in METHODS or not _is_private(host):
            return
        text = f'a request of origin "{quote(origin)}" to {quote(host)} was answered {exchange.status}'
        judged = NULL if origin == "null" else FOREIGN if _is_foreign(origin, host) else ()
        for severity, revisions in judged:
            draft = self.found(exchange, text, seq=exchange.reply_seq, related=[exchange.seq], severity=severity)
            draft.only_in, draft.where = revisions, "Origin"
            yield draft


def _is_foreign(origin: str, host: str) -> bool:
    page = split_url(origin)
    name = page.hostname or ""
    return page.scheme in ("http", "https") and name not in ("", host) and not _is_loopback(name)


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _is_private(host: str) -> bool:
    if _is_loopback(host):
        return True
    try:
        return ip_address(host).is_private
    except ValueError:
        return False
