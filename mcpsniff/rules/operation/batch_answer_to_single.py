"""Arrays that answer single requests."""

from mcpsniff.protocol.message import ANSWERS, SERVER
from mcpsniff.rules.rule import ERROR, Found, Message, Rule, quote


class BatchAnswerToSingle(Rule):
    """A request that was sent alone is answered inside an array.

    ## Why it matters
    Clients look for an object; they drop the array, and the request is never answered.

    ## How to fix
    Answer a request with an object, a batch of requests with an array.

    ## When it stays silent
    Only 2025-03-26 knows batches; elsewhere batch-not-allowed says it.
    """

    title = "A single request is answered inside an array"
    tier = 2
    severity = {"2025-03-26": ERROR}
    since = until = "2025-03-26"
    violator = SERVER
    spec = {"2025-03-26": "https://www.jsonrpc.org/specification#batch"}

    def on_batch(self, message: Message) -> Found:
        if message.sender != SERVER:
            return
        answers = [part for part in message.parts if part.kind in ANSWERS]
        calls = [call for call in map(self.session.calls.find, answers) if call is not None]
        alone = [call for call in calls if not call.request.batch]
        if alone:
            text = f"{quote(alone[0].method)} was sent alone and is answered inside an array of {len(answers)}"
            yield self.found(message, text, related=[call.seq for call in alone])
