"""Servers of the handshake era that refuse the handshake."""

from mcpsniff.protocol.marks import Framing
from mcpsniff.protocol.message import CLIENT, SERVER, Kind
from mcpsniff.protocol.revisions import INVALID_PARAMS
from mcpsniff.rules.rule import CONTEXTUAL, ERROR, Call, Found, Message, Rule, Session, quote
from mcpsniff.rules.when import error, is_method, when

REQUIRED = ("protocolVersion", "capabilities", "clientInfo")


class InitializeRefused(Rule):
    """`initialize` was answered with an error by a server that then served the handshake era.

    ## Why it matters
    Clients give up at once: to them the server speaks no MCP. What it can do is never asked for.

    ## How to fix
    Answer `initialize` with an InitializeResult, also when nothing depends on it.

    ## When it stays silent
    A server that serves 2026-07-28 alone and names its versions is right to refuse. Refusals of a version have rules of
    their own; so has a request that lacks its members, and a second `initialize`, which any may be where the capture
    does not hold the beginning.
    """

    title = "A legacy server refused initialize"
    tier = 2
    severity = {"2024-11-05": ERROR}
    until = "2025-11-25"
    violator = SERVER
    confidence = CONTEXTUAL
    spec = {"2024-11-05": "basic/lifecycle#initialization"}
    yields_to = ("http-already-initialized", "version-rejected-with-error")
    echoes = ("/error",)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._refusal: tuple[Message, Call] | None = None
        self._served: int | None = None  # record of a result that shows the handshake era

    @when(error, is_method("initialize"), awake=True)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or call.requester != CLIENT:
            return
        if message.kind is Kind.RESULT:
            bare = call.mark.framing is not Framing.MODERN and "resultType" not in message.result
            if self._refusal is not None and self._served is None and bare:
                self._served = message.seq
                self.stir(awake=False)
        elif call.method == "initialize" and self.session.initialize_result is None and self._wrong(message, call):
            self._refusal = self._refusal or (message, call)
            self.stir(awake=self._served is None)
        yield from ()

    @staticmethod
    def _wrong(message: Message, call: Call) -> bool:
        """Whether no other rule explains the refusal."""
        data = message.error.get("data")
        told = isinstance(data, dict) and "supported" in data
        version = "version" in str(message.error.get("message")).lower()
        incomplete = any(name not in call.request.params for name in REQUIRED)
        refused = message.exchange is not None and message.exchange.refused
        return not (told or version or refused or (message.code == INVALID_PARAMS and incomplete))

    def on_end(self) -> Found:
        if self._refusal is None:
            return
        message, call = self._refusal
        advertised = self.session.era.advertised
        proof = self._served
        if proof is None and advertised is not None and not self.session.server.modern:
            proof = advertised.seq
        if proof is not None and not self.session.from_start:
            yield self.unchecked("an initialize before the capture may have been accepted")
        elif proof is not None:
            code, words = message.error.get("code"), message.error.get("message")
            text = f"initialize was refused with {quote(code)} {quote(words)}; record {proof} shows a legacy server"
            yield self.found(message, text, related=[call.seq, proof])
