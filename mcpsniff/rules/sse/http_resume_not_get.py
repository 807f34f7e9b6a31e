"""Resumption by another method."""

from mcpsniff.rules.rule import CLIENT, WARNING, Found, HttpExchange, Rule, quote


class HttpResumeNotGet(Rule):
    """Last-Event-ID was sent with another method than GET.

    ## Why it matters
    Streams are resumed by GET, those of a POST, too; here the server ignores the header.

    ## How to fix
    Send a GET with Last-Event-ID; leave the header out of POST and DELETE.

    ## When it stays silent
    An empty header. In 2026-07-28 nothing can be resumed: last-event-id-sent.
    """

    title = "Client tried to resume with something other than GET"
    tier = 2
    severity = {"2025-03-26": WARNING}
    since, until = "2025-03-26", "2025-11-25"
    violator = CLIENT
    transport = "http"
    spec = {"2025-03-26": "basic/transports#resumability-and-redelivery"}

    def on_close(self, exchange: HttpExchange) -> Found:
        asked = exchange.header("last-event-id")
        if asked and exchange.method in ("POST", "DELETE"):
            text = f'{exchange.method} carries Last-Event-ID "{quote(asked, 40)}"'
            yield self.found(exchange, text, related=[exchange.reply_seq], where="Last-Event-ID")
