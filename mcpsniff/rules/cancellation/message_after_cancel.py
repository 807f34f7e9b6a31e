"""Messages for requests that were cancelled."""

import re

from mcpsniff.protocol.message import CLIENT
from mcpsniff.protocol.revisions import LEGACY
from mcpsniff.rules.rule import CONTEXTUAL, INFO, SERVER, WARNING, Call, Found, Message, Rule
from mcpsniff.rules.when import cancelled, when

CANCELLED = -32800  # code of the language server protocol, used by some
CROSSING = 1.0  # seconds in which answer and cancellation may have crossed (trap T6)
GRACE = 2.0  # seconds in which the server of a modern session may not have read the cancellation
_SAYS_SO = re.compile(r"\bcancell?ed\b", re.IGNORECASE)


class MessageAfterCancel(Rule):
    """An answer, or progress, came for a request that had been cancelled well before.

    ## Why it matters
    The work was not stopped, and the requestor has no use for the message.

    ## How to fix
    Stop the work when the cancellation arrives and send nothing more for it, not even an error "cancelled".

    ## When it stays silent
    In the handshake revisions for a second, in 2026-07-28 for two seconds or until the server has answered what came
    after the cancellation: the messages may have crossed, unless an error says that the request was cancelled. Over
    HTTP an answer is information, for a response has to end somehow. The pages of 2026-07-28 differ (stdio: MUST NOT;
    cancellation: SHOULD NOT, and it may be ignored); the milder one is taken.
    """

    title = "Server kept sending messages for a cancelled request"
    tier = 2
    severity = {"2024-11-05": WARNING}
    confidence = CONTEXTUAL
    until = LEGACY[-1]
    spec = {
        "2024-11-05": "basic/utilities/cancellation#behavior-requirements",
        "2026-07-28": "basic/patterns/cancellation#behavior-requirements",
    }
    by_time = True

    @when(cancelled)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or call.cancelled_at is None or call.method == "initialize":
            return
        late = message.at - call.cancelled_at
        if late > CROSSING or _says_cancelled(message):
            text = f"request {call.id} is answered {late:.1f} s after record {call.cancelled_seq} cancelled it"
            severity = INFO if message.exchange is not None else None
            yield self.found(message, text, related=[call.seq, call.cancelled_seq], severity=severity)


class MessageAfterCancelModern(Rule):
    """The same on stdio, where an answer to a later request proves that the cancellation was read."""

    id = "message-after-cancel"
    title = MessageAfterCancel.title
    tier = 2
    severity = {"2026-07-28": WARNING}
    violator = SERVER
    confidence = CONTEXTUAL
    transport = "stdio"
    since = "2026-07-28"
    spec = MessageAfterCancel.spec

    @when(cancelled)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        yield from self._judge(message, call)

    @when(cancelled)
    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.method == "notifications/progress":
            yield from self._judge(message, call)

    def _judge(self, message: Message, call: Call | None) -> Found:
        if message.sender != SERVER or call is None or call.cancelled_seq is None or call.cancelled_at is None:
            return
        late = message.at - call.cancelled_at
        later = self.session.calls.newest_answered(CLIENT)
        proof = later if later is not None and later.seq > call.cancelled_seq else None
        if proof is not None or late > GRACE or _says_cancelled(message):
            read = f" and record {proof.seq}, sent after that, was answered" if proof is not None else ""
            what = message.method or "an answer"
            text = (
                f"{what} for request {call.id}, which record {call.cancelled_seq} cancelled {late:.1f} s before{read}"
            )
            yield self.found(message, text, related=[call.seq, call.cancelled_seq], fault=message.method or "")


def _says_cancelled(message: Message) -> bool:
    """Whether an error shows by itself that the cancellation was read."""
    text = message.error.get("message")
    return message.code == CANCELLED or (isinstance(text, str) and bool(_SAYS_SO.search(text)))
