"""Bodies that end before their announced length."""

from mcpsniff.protocol.exchange import Headers, header
from mcpsniff.rules.rule import CLIENT, EITHER, SERVER, WARNING, Found, HttpExchange, Rule

BODYLESS = (204, 304)
ENDED = ("server", "error")  # by the other side, or with the connection


class ContentLengthMismatch(Rule):
    """A body is shorter than its Content-Length: the connection ended early.

    ## Why it matters
    The receiver waits for the rest, then drops the message; a broken JSON text is all that it could read.

    ## How to fix
    Count bytes, not characters, and look for whatever changes the body after its length was set (compression, a
    proxy, a crash).

    ## When it stays silent
    Answers to HEAD, 204 and 304; encoded bodies, whose size is known only decoded; exchanges that the client, the proxy
    or the end of the capture cut short.
    """

    title = "Body shorter than its Content-Length"
    tier = 2
    severity = {"2024-11-05": WARNING}
    violator = EITHER
    transport = "http"
    spec = {"2024-11-05": "https://www.rfc-editor.org/rfc/rfc9110#section-8.6"}

    def on_close(self, exchange: HttpExchange) -> Found:
        if exchange.closed_by not in ENDED:
            return
        if exchange.reply_seq is not None and exchange.method != "HEAD" and exchange.status not in BODYLESS:
            missing = _missing(exchange.reply_headers, exchange.body_size)
            if missing:
                yield self.found(
                    exchange, f"the response {missing}", seq=exchange.reply_seq, related=[exchange.seq], violator=SERVER
                )
        missing = _missing(exchange.headers, exchange.request_body)
        if missing:
            yield self.found(exchange, f"the request {missing}", violator=CLIENT)


def _missing(headers: Headers, size: int | None) -> str | None:
    """Gives the rest of a sentence about a body that is too short, or None."""
    announced = header(headers, "content-length") or ""
    if size is None or not announced.isdecimal() or len(announced) > 15 or header(headers, "content-encoding"):
        return None
    return f"has {size} of {announced} bytes" if size < int(announced) else None
