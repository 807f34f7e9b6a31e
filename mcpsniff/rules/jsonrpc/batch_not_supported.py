"""Batches that are refused where they are legal."""

from mcpsniff.protocol.lifecycle import Phase
from mcpsniff.protocol.message import ANSWERS, OTHER, Kind
from mcpsniff.protocol.revisions import BATCHES, INVALID_REQUEST, PARSE_ERROR
from mcpsniff.protocol.waiting import could_still_come, heard_until
from mcpsniff.rules.rule import CONTEXTUAL, ERROR, SERVER, Call, Found, HttpExchange, Message, Rule, Session

ASKING = frozenset((Kind.REQUEST, Kind.NOTIFICATION))
HELD = 100  # batches without an answer
PATIENCE = 60.0  # seconds of silence where the capture was cut
REFUSING = frozenset((PARSE_ERROR, INVALID_REQUEST))


class BatchNotSupported(Rule):
    """A well-formed batch was refused as a whole, or none of its requests was ever answered.

    ## Why it matters
    2025-03-26 asks every receiver to take batches. Whoever sends one loses every message in it.

    ## How to fix
    Take arrays apart and answer with one, or agree on a revision without batches.

    ## When it stays silent
    For empty and mixed batches, before the handshake is over, for elements that were refused singly, for refusals by
    the transport, and where a line of the sender could not be read. Where nothing is answered at all,
    unanswered-request says it as soon as it can.
    """

    title = "Receiver refused a well-formed batch"
    tier = 2
    severity = {"2025-03-26": ERROR}
    since = until = "2025-03-26"
    confidence = CONTEXTUAL
    spec = {"2025-03-26": "basic/index#batching"}
    yields_to = ("unanswered-request",)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._waiting: dict[int, Message] = {}  # legal batches without any answer, by record

    def on_batch(self, message: Message) -> Found:
        if self.session.phase in (Phase.ANSWERED, Phase.READY) and _is_legal(message) and len(self._waiting) < HELD:
            self._waiting[message.seq] = message
        yield from ()

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is not None and call.request.batch and message.id is not None and message.id.text != "null":
            self._waiting.pop(call.seq, None)
        elif _refuses(message) and not message.batch and not self._answers_post(message):
            requester = OTHER[message.sender]
            latest = next((m for m in reversed(self._waiting.values()) if m.sender == requester), None)
            if latest is not None and self.session.unreadable[requester]:
                yield self.unchecked("a line of the sender could not be read")
            elif latest is not None:
                del self._waiting[latest.seq]
                text = f"the batch of record {latest.seq} was refused with error {message.code}"
                yield self.found(message, text, related=[latest.seq], only_in=BATCHES)

    def _answers_post(self, message: Message) -> bool:
        """Whether the end of its exchange tells more."""
        return message.exchange is not None and message.sender == SERVER and self.session.transport == "http"

    def on_close(self, exchange: HttpExchange) -> Found:
        asked = exchange.messages[0] if exchange.messages else None
        if asked is None or asked.seq not in self._waiting or exchange.status is None:
            return
        final, lost = exchange.final, self.session.session_id is not None and not exchange.header("mcp-session-id")
        status_says = 400 <= exchange.status < 500 and not exchange.refused and not lost
        if status_says or (final is not None and exchange.status < 400 and _refuses(final)):
            del self._waiting[asked.seq]
            text = f"the batch was refused with status {exchange.status}"
            related = [asked.seq, final.seq if final is not None else None]
            yield self.found(exchange, text, seq=exchange.reply_seq, related=related, violator=SERVER, only_in=BATCHES)

    def on_end(self) -> Found:
        session = self.session
        waiting = {call.seq: call for call in session.calls.all_open() if call.seq in self._waiting}
        for call in waiting.values():
            later = session.calls.newest_answered(call.requester)
            overtaken = later is not None and later.seq > call.seq and not later.request.batch
            patient = not session.cut or heard_until(session) - call.started >= PATIENCE
            silent = overtaken and patient and could_still_come(session, call)
            if later is not None and silent and not session.holes and not session.unreadable[OTHER[call.requester]]:
                text = f"no request of the batch was answered, but the later one of record {later.seq} was"
                blamed = OTHER[call.requester]
                yield self.found(call, text, related=[later.seq], violator=blamed, only_in=BATCHES)


def _is_legal(batch: Message) -> bool:
    kinds = {element.kind for element in batch.elements()}
    return kinds != set() and (kinds <= ASKING or kinds <= ANSWERS)


def _refuses(message: Message) -> bool:
    """Whether it is an error without an id that refuses a whole line or body."""
    nameless = message.id is None or message.id.text == "null"
    return message.kind is Kind.ERROR and nameless and message.code in REFUSING
