"""Cancellations by a modern server of what is no subscription."""

from mcpsniff.protocol.message import CLIENT
from mcpsniff.rules.rule import ERROR, INFO, SERVER, Call, Found, Message, Rule


class ServerCancelNonListen(Rule):
    """The server sends `notifications/cancelled` for something else than an open listen request.

    ## Why it matters
    In 2026-07-28 a server has no requests of its own to cancel, and may not withdraw those of the client: a client
    ignores the message and goes on waiting.

    ## How to fix
    Answer a request with an error instead. Cancel only subscriptions, by the id of their listen request.

    ## When it stays silent
    Where the session, or its listen requests, may not have been recorded. A subscription that has ended already is
    noted as information.
    """

    title = "Server sent notifications/cancelled for something else than a listen stream"
    tier = 2
    severity = {"2026-07-28": ERROR}
    violator = SERVER
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/patterns/cancellation#behavior-requirements"}
    methods = ("notifications/cancelled",)

    def on_notification(self, message: Message, call: Call | None) -> Found:
        named = message.token("requestId")
        if message.sender != SERVER or named is None or not named.legal:
            return
        sub = self.session.subscriptions.by_id(named)
        asked = self.session.calls.used(CLIENT, named)
        if sub is not None:
            if sub.ended_seq is not None:
                text = f"subscription {named} had ended with record {sub.ended_seq}"
                yield self.found(message, text, related=[sub.call.seq, sub.ended_seq], severity=INFO)
        elif asked is not None or self.session.whole:
            what = f"the id {named} of another request" if asked is not None else f"{named}, the id of no request"
            text = f"the server cancels {what}"
            yield self.found(message, text, related=[asked], where="/params/requestId")
        else:
            yield self.unchecked("the listen request may not have been recorded")
