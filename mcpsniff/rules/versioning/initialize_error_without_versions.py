"""Refusals of initialize that leave the client in the dark."""

import json
import re

from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.revisions import METHOD_NOT_FOUND, is_modern
from mcpsniff.rules.rule import CONTEXTUAL, SERVER, WARNING, Call, Found, HttpExchange, Message, Rule, Session
from mcpsniff.rules.when import error, when

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
BEFORE_BODY = frozenset((401, 403, 405, 406, 407, 408, 413, 415, 429))  # statuses that are about something else


class InitializeErrorWithoutVersions(Rule):
    """A server of 2026-07-28 alone refused initialize and did not say which versions it supports.

    ## Why it matters
    Users of an old client see an error that says nothing of the cause.

    ## How to fix
    Name the supported versions, in the message or in `data.supported`.

    ## When it stays silent
    For servers that also speak the handshake revisions, and for params that are wrong. Where nothing shows the era of
    the server, only "method not found" counts: whoever does not know initialize is of 2026-07-28.
    """

    title = "Modern-only server rejected initialize without naming its versions"
    tier = 2
    severity = {"2026-07-28": WARNING}
    since = "2026-07-28"
    violator = SERVER
    confidence = CONTEXTUAL
    spec = {"2026-07-28": "basic/versioning#backward-compatibility-with-initialization-based-versions"}
    yields_to = ("initialize-refused",)
    by_value = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._refused: tuple[Message | HttpExchange, Call, str] | None = None  # the first, with what it says

    @when(error)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        refused = message.kind is Kind.ERROR and message.sender == SERVER
        if call is not None and call.method == "initialize" and refused:
            self._note(message, call, json.dumps([message.error.get("message"), message.error.get("data")]))
        yield from ()

    def on_close(self, exchange: HttpExchange) -> Found:
        call = next((one for one in exchange.calls.values() if one.method == "initialize"), None)
        status = exchange.status or 0
        if call is not None and call.answer_seq is None and 400 <= status < 500 and status not in BEFORE_BODY:
            said = " ".join(text for sender, _, text in exchange.texts if sender == SERVER)
            self._note(exchange, call, said)
        yield from ()

    def _note(self, at: Message | HttpExchange, call: Call, said: str) -> None:
        params = call.request.params
        sound = isinstance(params.get("protocolVersion"), str) and isinstance(params.get("capabilities"), dict)
        if sound and isinstance(params.get("clientInfo"), dict) and self._refused is None:
            self._refused = (at, call, said)

    def on_end(self) -> Found:
        server, era = self.session.server, self.session.era
        if self._refused is None or server.accepted is not None or era.verdict == "legacy":
            return
        at, call, said = self._refused
        if server.modern is None and not (isinstance(at, Message) and at.code == METHOD_NOT_FOUND):
            return
        supported = server.versions or [date for date in _DATE.findall(said) if is_modern(date)]
        if not any(version in said for version in supported):
            mark = era.surely_modern_mark(at.seq)
            seq = at.reply_seq if isinstance(at, HttpExchange) else None
            yield self.found(
                at, "initialize was refused without a supported version", seq=seq, related=[call.seq], mark=mark
            )
