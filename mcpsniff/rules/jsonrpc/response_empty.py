"""Responses that say nothing."""

from mcpsniff.protocol.message import OTHER, Kind
from mcpsniff.rules.rule import Found, Message, Rule, quote
from mcpsniff.rules.when import odd, when


class ResponseEmpty(Rule):
    """A message has an id, but neither a method nor a result nor an error.

    ## Why it matters
    It answers a request and does not say how: callers wait on, or fail with an error of their own.

    ## How to fix
    Send `"result": {}` where there is nothing to say. Look for a serialiser that leaves empty members out.

    ## When it stays silent
    A result that is null is result-not-object. Error bodies over HTTP without `jsonrpc` are no messages.
    """

    title = "Response has neither result nor error"
    tier = 2
    spec = {"2024-11-05": "basic/messages#responses", "2025-03-26": "basic/index#responses"}

    @when(odd)
    def on_object(self, message: Message) -> Found:
        if message.kind is not Kind.MALFORMED or message.id is None or message.has_method:
            return
        exchange = message.exchange
        if exchange is not None and exchange.failed and not message.head.jsonrpc:
            return
        call = self.session.calls.waiting(OTHER[message.sender], message.id)
        text = f"the response to id {quote(message.id.text)} has no result and no error"
        related, mark = ([call.seq], call.mark) if call is not None else ([], None)
        yield self.found(message, text, related=related, mark=mark)
