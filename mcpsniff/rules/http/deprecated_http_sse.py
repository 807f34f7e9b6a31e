"""The transport of 2024-11-05."""

from typing import Any

from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, INFO, SERVER, Found, HttpExchange, Moment, Rule, Session, quote


class DeprecatedHttpSse(Rule):
    """The session uses the old HTTP+SSE transport: a GET stream, and POSTs to the URL that its first event names.

    ## Why it matters
    It is deprecated since 2025-03-26: one long-lived stream for everything, no resumption, and clients drop it.

    ## How to fix
    Serve Streamable HTTP at one URL; keep the old pair of URLs beside it as long as old clients need it.

    ## When it stays silent
    An `endpoint` event that nobody posts to is no session.
    """

    title = "The old HTTP+SSE transport is in use"
    severity = {"2024-11-05": INFO}
    violator = SERVER
    transport = "http+sse"
    spec = {
        "2024-11-05": "basic/transports#http-with-sse",
        "2025-03-26": "basic/transports#backwards-compatibility",
        "2026-07-28": "basic/transports/streamable-http#http-sse-transport-2024-11-05",
    }
    confidence = CONTEXTUAL

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._endpoint: Moment | None = None
        self._get: int | None = None  # record of the request
        self._url = ""
        self._sent = 0  # client messages before it

    def on_sse(self, block: Any, exchange: HttpExchange) -> Found:
        if block.event == "endpoint" and block.data and self._endpoint is None:
            self._endpoint, self._get, self._url = Moment(block.seq, block.t), exchange.seq, block.data
            self._sent = self.session.messages[CLIENT]
        yield from ()

    def on_end(self) -> Found:
        if self._endpoint is not None and self.session.messages[CLIENT] > self._sent:
            text = f'the stream announces "{quote(self._url)}" for the client\'s messages'
            yield self.found(self._endpoint, text, related=[self._get])
