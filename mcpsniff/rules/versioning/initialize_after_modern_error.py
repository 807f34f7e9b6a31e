"""Clients that go back to the handshake without a reason."""

from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, WARNING, Call, Found, Message, Rule


class InitializeAfterModernError(Rule):
    """The client sent initialize although the server had already proved to speak 2026-07-28.

    ## Why it matters
    A server of 2026-07-28 need not know initialize: the session fails where a request with another version would do.

    ## How to fix
    Fall back only after an answer that says nothing of the era. After -32022 choose a version from its list, after
    -32020 or -32021 correct the request.

    ## When it stays silent
    Where the server advertised handshake revisions alone, where an initialize had been sent before the proof arrived,
    and for another client of the same server.
    """

    title = "Client fell back to initialize although the server had proved to be modern"
    severity = {"2026-07-28": WARNING}
    since = "2026-07-28"
    violator = CLIENT
    confidence = CONTEXTUAL
    methods = ("initialize",)
    spec = {"2026-07-28": "basic/versioning#backward-compatibility-with-initialization-based-versions"}
    by_value = True

    def on_request(self, message: Message, call: Call) -> Found:
        shown = self.session.era.shown_modern
        if message.sender != CLIENT or shown is None or self.session.initialize is not None:
            return
        text = f"initialize follows record {shown}, where the server had shown that it speaks 2026-07-28"
        yield self.found(message, text, related=[shown], mark=self.session.era.modern_mark(message.seq))
