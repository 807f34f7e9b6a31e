"""Servers with one instance for all clients."""

import re

from mcpsniff.rules.rule import CONTEXTUAL, ERROR, SERVER, Found, HttpExchange, Rule, quote

WORDS = re.compile(r"already\W+(been\W+)?(initiali[sz]ed|connected)", re.IGNORECASE)


class HttpAlreadyInitialized(Rule):
    """A client's first `initialize` was refused as already initialised: another client had come before.

    ## Why it matters
    Only the first client gets in, until the server is started again.

    ## How to fix
    Make a server and a transport for each session, or run the transport stateless.

    ## When it stays silent
    An `initialize` that carries a session id, and a second one of a session that has none, are the client's fault.
    """

    title = "A second client is refused as already initialised"
    tier = 2
    severity = {"2024-11-05": ERROR}
    until = "2025-11-25"
    violator = SERVER
    transport = "http"
    confidence = CONTEXTUAL
    spec = {
        "2024-11-05": "basic/transports",
        "2025-03-26": "basic/transports#session-management",
        "2025-11-25": "basic/transports#session-management",
    }

    def on_close(self, exchange: HttpExchange) -> Found:
        opening = next((call for call in exchange.calls.values() if call.method == "initialize"), None)
        earlier = self.session.server.accepted
        if opening is None or earlier is None or earlier > exchange.seq or not self._is_new(exchange):
            return
        for seq, words in self._refusals(exchange):
            if WORDS.search(words):
                text = f'initialize of a new client was refused with "{quote(words)}"; another came in with record '
                yield self.found(exchange, f"{text}{earlier}", seq=seq, related=[opening.seq, earlier])

    def _is_new(self, exchange: HttpExchange) -> bool:
        """Whether the client asks for a session of its own."""
        own = self.session.initialize_result is not None and self.session.session_id is None
        return exchange.header("mcp-session-id") is None and not own

    @staticmethod
    def _refusals(exchange: HttpExchange) -> list[tuple[int, str]]:
        """Gives what the server said, by record."""
        final = exchange.final
        if final is not None and final.has_error:
            return [(final.seq, str(final.error.get("message")))]
        return [(seq, text) for sender, seq, text in exchange.texts if sender == SERVER][:1]
