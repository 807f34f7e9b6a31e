"""Calls repeated with headers that were refused."""

from mcpsniff.protocol.bounded import BoundedDict, Drops
from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.paramheaders import PREFIX
from mcpsniff.protocol.revisions import HEADER_MISMATCH
from mcpsniff.rules.echoes import MIRRORED
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, SERVER, WARNING, Call, Found, HttpExchange, Message, Rule, Session

KEPT = 200  # tools


class HeaderMismatchNoRefresh(Rule):
    """After a refusal for its Mcp-Param headers, the client called the tool again without a new tool list.

    ## Why it matters
    The client's definition of the tool is out of date; without a new one the call is refused every time.

    ## How to fix
    After error -32020 ask for `tools/list`, set the headers anew, and repeat the call once.

    ## When it stays silent
    Clients that give up, or repeat with other Mcp-Param headers; refusals that a wrong Mcp-Method, Mcp-Name or version
    explains.
    """

    title = "Client repeated a call after a header rejection without refreshing the tool list"
    tier = 2
    severity = {"2026-07-28": WARNING}
    since = "2026-07-28"
    violator = CLIENT
    transport = "http"
    spec = {"2026-07-28": "basic/transports/streamable-http#client-behavior"}
    confidence = CONTEXTUAL
    methods = ("tools/call", "tools/list")
    by_value = True
    values = MIRRORED

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._refused: BoundedDict[tuple[str, str], int] = BoundedDict("refused calls", KEPT, Drops())  # → record

    def on_request(self, message: Message, call: Call) -> Found:
        if message.method == "tools/list":
            self._refused = BoundedDict("refused calls", KEPT, Drops())
            return
        refused = self._refused.get(_key(call))
        if refused is not None and message.sender == CLIENT:
            text = f"{call.target} is called again with the headers that record {refused} refused"
            yield self.found(message, text, related=[refused])

    def on_answer(self, message: Message, call: Call | None) -> Found:
        refused = message.kind is Kind.ERROR and message.code == HEADER_MISMATCH and message.sender == SERVER
        if refused and call is not None and not any(not fault.of_param for fault in call.header_faults):
            self._refused[_key(call)] = message.seq
        yield from ()


def _key(call: Call) -> tuple[str, str]:
    exchange: HttpExchange | None = call.exchange
    headers = exchange.headers if exchange is not None else []
    params = sorted((name.lower(), value) for name, value in headers if name.lower().startswith(PREFIX.lower()))
    return call.target or "", repr(params)
