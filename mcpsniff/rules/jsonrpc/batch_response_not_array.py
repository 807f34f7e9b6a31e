"""Answers to a batch that do not come as one."""

from mcpsniff.protocol.message import OTHER
from mcpsniff.protocol.revisions import BATCHES
from mcpsniff.rules.rule import CONTEXTUAL, SERVER, WARNING, Call, Found, Message, Rule, Session


class BatchResponseNotArray(Rule):
    """The requests of a batch were answered one by one, or the array of answers lacks some of them.

    ## Why it matters
    JSON-RPC answers a batch with one array; a client that waits for it never gets what it needs.

    ## How to fix
    Collect the answers of a batch and send them together, in any order.

    ## When it stays silent
    On SSE streams, where answers may come singly, for requests that were cancelled, and where the batch was refused
    as a whole. What a client answers over HTTP is not judged.
    """

    title = "Batch was answered with separate response objects"
    tier = 2
    severity = {"2025-03-26": WARNING}
    since = until = "2025-03-26"
    confidence = CONTEXTUAL
    spec = {"2025-03-26": "https://www.jsonrpc.org/specification#batch"}
    yields_to = ("batch-mixed",)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._told: int | None = None  # record of the batch that was judged last

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or not call.request.batch or message.batch or not _must_be_array(message):
            return
        if call.seq != self._told and call.method != "initialize":
            self._told = call.seq
            text = f"the request {call.id} of a batch was answered by an object of its own"
            yield self.found(message, text, related=[call.seq], only_in=BATCHES)

    def on_batch(self, message: Message) -> Found:
        if not _must_be_array(message):
            return
        requester, calls = OTHER[message.sender], self.session.calls
        ids = [element.id for element in message.elements() if not element.has_method and element.id is not None]
        answered = [call for id_ in ids if (call := calls.waiting(requester, id_)) is not None]
        batches = {call.seq for call in answered if call.request.batch and call.seq != self._told}
        for seq in sorted(batches):
            lacking = [call for call in calls.all_open(requester) if call.seq == seq and call not in answered]
            if lacking:
                self._told = seq
                text = f"the array of answers lacks {_ids(lacking)}"
                yield self.found(message, text, related=[seq], only_in=BATCHES)


def _must_be_array(message: Message) -> bool:
    """Whether an answer that comes this way must stand in an array with the others."""
    exchange = message.exchange
    return exchange is None or (message.sender == SERVER and not exchange.is_stream)


def _ids(calls: list[Call]) -> str:
    shown = ", ".join(call.id.text for call in calls[:4])
    return shown if len(calls) <= 4 else f"{shown} and {len(calls) - 4} more"
