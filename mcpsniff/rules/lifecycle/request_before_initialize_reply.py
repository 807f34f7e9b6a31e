"""Requests that do not wait for the answer to initialize."""

from mcpsniff.protocol.lifecycle import Event, Phase
from mcpsniff.rules.rule import CLIENT, WARNING, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import by_client, in_phase, when


class RequestBeforeInitializeReply(Rule):
    """The client sent a request other than ping while initialize was still unanswered.

    ## Why it matters
    Neither side knows yet what the other can do; servers refuse the request, or answer it before they are set up.

    ## How to fix
    Wait for the initialize result.

    ## When it stays silent
    A ping may be sent. A request before initialize itself is initialize-not-first.
    """

    title = "Client sent a request other than ping before initialize was answered"
    severity = {"2024-11-05": WARNING}
    until = "2025-11-25"
    violator = CLIENT
    spec = {"2024-11-05": "basic/lifecycle#initialization"}
    by_time = True

    @when(by_client, in_phase(Phase.OPENING))
    def on_request(self, message: Message, call: Call) -> Found:
        session = self.session
        if message.sender != CLIENT or session.phase is not Phase.OPENING or session.initialize is None:
            return
        if session.breach(message, call) is Event.REQUEST:
            text = f"{quote(call.method)} was sent while initialize waited for its answer"
            yield self.found(message, text, related=[session.initialize.seq])
