"""Second answers."""

from mcpsniff.protocol.message import OTHER
from mcpsniff.rules.rule import Call, Found, Message, Rule, quote
from mcpsniff.rules.when import stray, when


class DuplicateResponse(Rule):
    """A request that already has its answer is answered once more.

    ## Why it matters
    The first answer counts. What the second one says is lost, or goes to a later request with the same id.

    ## How to fix
    Answer each request once, also when it fails after the result was sent.

    ## When it stays silent
    An SSE event that a resumed stream delivers again is the same answer, and so is one on a stream that a client
    resumed. A request sent again with the same id has an answer of its own.
    """

    title = "A request was answered more than once"
    spec = {"2024-11-05": "basic/messages#responses", "2025-03-26": "basic/index#responses"}
    yields_to = ("response-to-notification", "http-message-broadcast")

    @when(stray)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is not None or message.id is None or self._is_redelivery(message):
            return
        first = self.session.calls.answered(OTHER[message.sender], message.id)
        if first is not None:
            text = f"id {quote(message.id.text)} was answered by record {first.answer_seq}"
            yield self.found(message, text, related=[first.seq, first.answer_seq], mark=first.mark)

    def _is_redelivery(self, message: Message) -> bool:
        exchange = message.exchange
        return exchange is not None and exchange.header("last-event-id") is not None
