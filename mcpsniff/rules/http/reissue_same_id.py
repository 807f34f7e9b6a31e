"""Requests sent again after a broken stream."""

from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, ERROR, Call, Found, Message, Rule


class ReissueSameId(Rule):
    """The client sent a request again, id included, after the answer to the first was lost with its stream.

    ## Why it matters
    2026-07-28 cannot resume a stream, so the repeat is a new request; under the old id the server may take it for the
    one that still runs.

    ## How to fix
    Give the repeat a new id. An HTTP library that repeats requests by itself does this, too: switch that off.

    ## When it stays silent
    Repeats after a redirect, 401, 429 or an error of the server, where no stream was lost; other params.
    """

    title = "Client repeated a request with the same id after its stream broke"
    tier = 2
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"
    violator = CLIENT
    transport = "http"
    spec = {"2026-07-28": "changelog#major-changes"}
    confidence = CONTEXTUAL
    yields_to = ("retry-id-reused",)

    def on_request(self, message: Message, call: Call) -> Found:
        first = self.session.calls.waiting(CLIENT, call.id) if message.sender == CLIENT else None
        lost = first.exchange if first is not None else None
        if first is None or lost is None or lost.closed_seq is None or not lost.succeeded:
            return
        if first.method == call.method and first.request.params == message.params:
            text = f"{call.method} with id {call.id} is sent again: its first answer was lost with the stream"
            yield self.found(message, text, related=[first.seq, lost.closed_seq])
