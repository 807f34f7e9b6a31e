"""Second handshakes."""

from mcpsniff.rules.echoes import VERSIONS
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, WARNING, Call, Found, Message, Rule


class InitializeRepeated(Rule):
    """The client sent initialize although the handshake of this session had succeeded.

    ## Why it matters
    What both sides agreed on may change under requests that are under way; many servers refuse it.

    ## How to fix
    Open a new session: a new process, or a POST without Mcp-Session-Id.

    ## When it stays silent
    For a POST without a session id, after a refused initialize, and while the first one has no answer yet.
    """

    title = "A second initialize on an established session"
    tier = 2
    severity = {"2024-11-05": WARNING}
    until = "2025-11-25"
    violator = CLIENT
    confidence = CONTEXTUAL
    methods = ("initialize",)
    spec = {"2024-11-05": "basic/lifecycle#initialization"}
    yields_to = ("http-initialize-with-session-id",)
    by_time = True
    echoes = VERSIONS

    def on_request(self, message: Message, call: Call) -> Found:
        first = self.session.initialize_result
        if message.sender == CLIENT and first is not None and not self._opens_another(message):
            text = f"initialize was answered before, by record {first.seq}"
            yield self.found(message, text, related=[first.seq])

    def _opens_another(self, message: Message) -> bool:
        over_http = message.exchange is not None and self.session.transport == "http"
        return over_http and message.exchange.header("mcp-session-id") is None
