"""Requests that nobody will answer."""

from mcpsniff.protocol.revisions import REQUESTS, REVISIONS
from mcpsniff.rules.rule import Call, Found, Message, Rule, quote


class RequestWithoutId(Rule):
    """A message names a request method, but has no id.

    ## Why it matters
    Without an id it is a notification: the other side does not answer, and the call is lost.

    ## How to fix
    Give every request an id that was not used before. Zero is an id: do not test it for truth.

    ## When it stays silent
    For methods that the agreed revision does not define. A null id is request-id-invalid, and a method that this side
    may not send is method-wrong-direction.
    """

    title = "A request method was sent without an id"
    tier = 2
    spec = {"2024-11-05": "basic/messages#requests", "2025-03-26": "basic/index#requests"}
    methods = tuple(REQUESTS)

    def on_notification(self, message: Message, call: Call | None) -> Found:
        method = REQUESTS[message.method or ""]
        if message.sender in method.senders:
            known = [revision for revision in REVISIONS if method.defined_in(revision)]
            yield self.found(message, f"{quote(message.method)} was sent without an id", only_in=known)
