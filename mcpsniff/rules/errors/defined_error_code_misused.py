"""Codes that the revision defines, used for something else."""

from mcpsniff.protocol.revisions import HEADER_MISMATCH, METHOD_NOT_FOUND, REQUESTS, declares
from mcpsniff.rules.echoes import SERVER_CAPABILITIES
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, ERROR, SERVER, Call, Found, Message, Rule, Session
from mcpsniff.rules.when import result, when


class DefinedErrorCodeMisused(Rule):
    """An error code of the revision contradicts what is known of the request.

    ## Why it matters
    Clients act upon these codes: after -32601 they never use the method again, after -32020 they rebuild headers that
    there are none of.

    ## How to fix
    -32020 is for HTTP headers alone; -32601 for methods that the server does not have at all. What breaks inside is
    -32603.

    ## When it stays silent
    A method that was served on another HTTP connection may belong to another version of the server behind a balancer.
    Whether -32021 and -32022 fit their request is for rules of their own; -32602 has many meanings.
    """

    title = "A defined code was used outside its meaning"
    tier = 2
    severity = {"2026-07-28": ERROR}
    violator = SERVER
    confidence = CONTEXTUAL
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/index#error-codes"}
    yields_to = ("declared-capability-not-served",)
    echoes = SERVER_CAPABILITIES

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._served: dict[str, tuple[int, str]] = {}  # method → record of the first result, connection

    @when(once=result)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or call.requester != CLIENT:
            return
        if message.has_result and not message.has_error and call.method in REQUESTS:
            self._served.setdefault(call.method, (message.seq, _connection(call)))
        elif message.code == HEADER_MISMATCH and message.exchange is None:
            text = f"error {HEADER_MISMATCH} speaks of HTTP headers, and stdio has none"
            yield self.found(message, text, related=[call.seq], where="/error/code", fault="headers")
        elif message.code == METHOD_NOT_FOUND and call.method in self._served and self._covered(call.method):
            seq, connection = self._served[call.method]
            if connection == _connection(call):
                text = f"{call.method} is said not to be there, though record {seq} served it"
                yield self.found(message, text, related=[call.seq, seq], where="/error/code", fault="method")

    def _covered(self, method: str) -> bool:
        """Whether the capabilities still hold the method, as far as they are known."""
        declared, needs = self.session.discovered_capabilities, REQUESTS[method].needs
        return declared is None or not needs or declares(declared, needs[:1])


def _connection(call: Call) -> str:
    return call.exchange.conn if call.exchange is not None else ""
