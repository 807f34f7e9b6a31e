"""Which code answers what could not be read."""

from collections.abc import Iterator

from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.revisions import INVALID_PARAMS, INVALID_REQUEST, LEGACY, PARSE_ERROR
from mcpsniff.rules.rule import CONTEXTUAL, INFO, WARNING, Call, Found, Message, Rule, Session, Text
from mcpsniff.rules.when import odd, when

CODES = {"text that is no JSON": PARSE_ERROR, "JSON that is no message": INVALID_REQUEST}
NO_JSON, NO_MESSAGE = CODES
ANYTHING = "an array"  # an error without id may be about any part of it
KEPT = 1_000  # of each kind


class _Fault:
    """Something that is answered by an error without an id."""

    __slots__ = ("sender", "seq", "what")

    def __init__(self, what: str, sender: str, seq: int) -> None:
        self.what = what
        self.sender = sender
        self.seq = seq


class ParseErrorCode(Rule):
    """Unreadable input was answered with another code than JSON-RPC has for it.

    ## Why it matters
    The sender looks for the fault in the wrong place: -32603 says that the receiver broke, not the text.

    ## How to fix
    -32700 for text that is no JSON, -32600 for JSON that is no request, both with `id` null.

    ## When it stays silent
    Silence and a bare HTTP status are allowed. Where several faults wait for an answer, the code of any of them is
    right. -32602 for a wrong shape is noted as information.
    """

    title = "Reply to unreadable input does not use the JSON-RPC parse/invalid-request code"
    tier = 2
    severity = {"2024-11-05": WARNING}
    confidence = CONTEXTUAL
    until = LEGACY[-1]
    spec = {"2024-11-05": "https://www.jsonrpc.org/specification#error_object"}

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._faults: list[_Fault] = []  # on stdio, where lines may be settled late
        self._errors: list[Message] = []  # ... and the answers without an id

    def on_text(self, text: Text) -> Found:
        if text.exchange is None and text.data.strip():
            self._note(NO_JSON, text)
        yield from ()

    def on_batch(self, message: Message) -> Found:
        if message.exchange is None:
            self._note(ANYTHING, message)
        yield from ()

    @when(odd)
    def on_object(self, message: Message) -> Found:
        if message.kind is Kind.MALFORMED and message.exchange is None and message.id is None:
            self._note(NO_MESSAGE, message)
        yield from ()

    def _note(self, what: str, place: Message | Text) -> None:
        if len(self._faults) < KEPT:
            self._faults.append(_Fault(what, place.sender, place.seq))

    @when(odd)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        nameless = message.id is None or message.id.text == "null"
        if message.code is None or not nameless:
            return
        if message.exchange is not None:
            yield from self._judge(message, list(_in_body(message)))
        elif len(self._errors) < KEPT:
            self._errors.append(message)

    def on_end(self) -> Found:
        for error in self._errors:
            waiting = [f for f in self._faults if f.sender != error.sender and f.seq < error.seq]
            yield from self._judge(error, waiting)
            if waiting:
                self._faults.remove(waiting[0])

    def _judge(self, error: Message, faults: list[_Fault]) -> Found:
        if not faults or any(f.what == ANYTHING or CODES[f.what] == error.code for f in faults):
            return
        what, seq = faults[0].what, faults[0].seq
        text = f"{what} (record {seq}) is answered with {error.code}, not {CODES[what]}"
        loose = error.code == INVALID_PARAMS and what == NO_MESSAGE
        yield self.found(error, text, related=[seq], where="/error/code", severity=INFO if loose else None)


def _in_body(error: Message) -> Iterator[_Fault]:
    """Gives what is wrong with the request body that an HTTP error answers."""
    for sender, seq, text in error.exchange.texts:
        if sender != error.sender and text.strip():
            yield _Fault(NO_JSON, sender, seq)
    for message in error.exchange.messages:
        if message.kind is Kind.MALFORMED and message.id is None:
            yield _Fault(NO_MESSAGE, message.sender, message.seq)
