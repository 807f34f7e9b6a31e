"""Servers that shake hands twice."""

from mcpsniff.protocol.message import SERVER, Kind
from mcpsniff.rules.rule import INFO, Call, Found, Message, Rule


class SecondInitializeAccepted(Rule):
    """A second `initialize` in one session was answered with a result.

    ## Why it matters
    Which capabilities and which version hold from then on is anybody's guess.

    ## How to fix
    Refuse it with -32600; a client that wants to begin anew opens a new session.

    ## When it stays silent
    Over HTTP a request without a session id opens a session of its own.
    """

    title = "A second initialize was accepted"
    tier = 2
    severity = {"2024-11-05": INFO}
    until = "2025-11-25"
    violator = SERVER
    spec = {"2024-11-05": "basic/lifecycle#initialization"}
    methods = ("initialize",)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        first = self.session.initialize_result
        if message.kind is not Kind.RESULT or first is None or call is None or call.seq < first.seq:
            return
        if call.exchange is None or call.exchange.header("mcp-session-id") is not None:
            text = f"initialize was accepted again; the first result is record {first.seq}"
            yield self.found(message, text, related=[call.seq, first.seq])
