"""Answers to nothing."""

from mcpsniff.protocol.message import OTHER
from mcpsniff.rules.rule import ERROR, SERVER, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import either, over_http, stray, when


class ResponseUnknownId(Rule):
    """A response carries an id that no request of the other side has used.

    ## Why it matters
    Nobody waits for it: clients drop it, some close the connection.

    ## How to fix
    Take the id from the request. Do not make one up for errors that belong to no request: leave it out, or send null.

    ## When it stays silent
    A second answer is duplicate-response, a changed JSON type response-id-type-changed. Where the capture lacks the
    beginning, has gaps, or holds a line of the requester that could not be read, the id may be known after all; so it
    may on a resumed stream. The reply to an invalid request whose id could be read is no stranger. An error body of a
    refused HTTP request with an id of its own is id-made-up.
    """

    title = "Response carries an id that matches no request"
    severity = {"2024-11-05": ERROR}
    until = "2025-11-25"
    spec = {"2024-11-05": "basic/messages#responses", "2025-03-26": "basic/index#responses"}
    yields_to = ("response-to-notification",)

    @when(stray)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is not None or message.id is None or message.id.text == "null" or self._used(message):
            return
        if message.exchange is not None and message.exchange.status is not None and message.exchange.status >= 400:
            return  # id-made-up
        reason = self._unsure(message)
        if reason is not None:
            yield self.unchecked(reason)
            return
        own = self.session.calls.used(message.sender, message.id)
        kind = f", but one of its own (record {own})" if own is not None else ""
        text = f"id {quote(message.id.text)} is that of no request to the {message.sender}{kind}"
        yield self.found(message, text, related=[own], where="/id")

    def _used(self, message: Message) -> bool:
        calls, requester, id_ = self.session.calls, OTHER[message.sender], message.id
        assert id_ is not None
        return calls.used(requester, id_) is not None or calls.used_as_text(requester, id_) is not None

    def _unsure(self, message: Message) -> str | None:
        """Gives why a request may exist that the capture does not show."""
        exchange = message.exchange
        if not self.session.whole:
            return "the capture does not hold the whole session"
        if self.session.unreadable[OTHER[message.sender]]:
            return "a line of the requester could not be read"
        resumed = exchange is not None and exchange.header("last-event-id") is not None
        return "the stream is a resumed one" if resumed else None


class ResponseUnknownIdOfServer(ResponseUnknownId):
    """A response carries an id that the client has not used, or over HTTP not in the POST that it answers."""

    severity = {"2026-07-28": ERROR}
    since, until = "2026-07-28", "2026-07-28"
    spec = {"2026-07-28": "basic/index#result-responses"}

    @when(either(stray, over_http))
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if message.sender != SERVER:  # client-sent-response
            return
        if call is None:
            yield from super().on_answer(message, call)
        elif message.exchange is not None and call.exchange is not message.exchange:
            text = f"id {quote(str(message.id))} belongs to the request of another POST, record {call.seq}"
            yield self.found(message, text, related=[call.seq], where="/id")
