"""Messages that go past the announced URL."""

from mcpsniff.protocol.exchange import split_url
from mcpsniff.rules.rule import CLIENT, ERROR, Found, HttpExchange, Rule, Session, quote

KEPT = 20  # targets of redirects


class SsePostWrongEndpoint(Rule):
    """A message was not posted to the URL that the `endpoint` event announced.

    ## Why it matters
    The server finds the session by this URL, its query included; elsewhere the message is refused or lost.

    ## How to fix
    Resolve the data of the event against the URL of the stream, and post to exactly that.

    ## When it stays silent
    A POST before the stream was opened: a newer client that tries Streamable HTTP first. Redirects, and the origin,
    which a proxy may rewrite.
    """

    title = "Client message not POSTed to the announced endpoint"
    tier = 2
    severity = {"2024-11-05": ERROR}
    until = "2024-11-05"
    violator = CLIENT
    transport = "http+sse"
    spec = {"2024-11-05": "basic/transports#http-with-sse"}

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._redirected: set[tuple[str, str]] = set()

    def on_close(self, exchange: HttpExchange) -> Found:
        if exchange.redirect is not None and len(self._redirected) < KEPT:
            self._redirected.add(_target(exchange.redirect))
        announced = self.session.streams.announced
        if not announced or exchange.seq < announced[0][0] or not exchange.messages:
            return
        right = {_target(url) for _, url in announced} | self._redirected
        if exchange.method != "POST" or _target(exchange.url) not in right:
            text = (
                f'{exchange.method} goes to "{quote(exchange.url, 60)}", announced was "{quote(announced[-1][1], 60)}"'
            )
            yield self.found(exchange, text, related=[announced[-1][0], exchange.messages[0].seq])


def _target(url: str) -> tuple[str, str]:
    parts = split_url(url)
    return parts.path, parts.query
