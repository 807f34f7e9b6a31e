"""A client opened the URL of an elicitation before the user agreed."""

from mcpsniff.protocol.bounded import BoundedDict
from mcpsniff.protocol.inputs import InputRequest, InputResponse
from mcpsniff.protocol.message import Kind
from mcpsniff.rules.rule import CLIENT, HEURISTIC, Found, HttpExchange, Message, Rule, Session, quote

from ._forms import CREATE

KEPT = 1_000  # URLs, per session


class _Offered:
    """One URL that the server sent, and what became of it."""

    __slots__ = ("accepted_at", "at", "peer", "seq")

    def __init__(self, message: Message) -> None:
        self.seq = message.seq
        self.at = message.at
        self.peer = message.exchange.peer if message.exchange is not None else None  # the MCP client
        self.accepted_at: float | None = None


class ElicitationUrlPrefetch(Rule):
    """The client requests the URL of an elicitation before it has told the server that the user accepts.

    ## Why it matters
    The user has not seen yet where the address leads; opening it may already do something.

    ## How to fix
    Show the whole URL first, and open it, in a browser, only when the user agrees.

    ## When it stays silent
    Only traffic that went through the recorder is seen. Other programs (another address or User-Agent) may open it, and
    after error -32042 nothing on the wire says when the user agreed.
    """

    title = "Client fetched the elicitation URL before the user accepted"
    tier = 3
    violator = CLIENT
    confidence = HEURISTIC
    transport = "http"
    since, until = "2025-11-25", "2025-11-25"
    spec = {"2025-11-25": "client/elicitation#safe-url-handling"}
    by_time = True
    echoes = ("/result/action",)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._offered: BoundedDict[str, _Offered] = BoundedDict("elicitation urls", KEPT, session.dropped)

    def on_input_request(self, message: Message, request: InputRequest) -> Found:
        url = request.params.get("url")
        if request.method == CREATE and request.mode == "url" and message.kind is Kind.REQUEST and isinstance(url, str):
            self._offered[url] = _Offered(message)
        yield from ()

    def on_input_response(self, message: Message, response: InputResponse) -> Found:
        offered = self._offered.get(str(response.request.params.get("url")))
        if offered is not None and response.value.get("action") == "accept":
            offered.accepted_at = message.at
        yield from ()

    def on_aside(self, exchange: HttpExchange) -> Found:
        offered = self._offered.get(exchange.url)
        if offered is None or exchange.peer != offered.peer or exchange.opened_at < offered.at:
            return
        if offered.accepted_at is None or exchange.opened_at < offered.accepted_at:
            text = f"the client opens {quote(exchange.url.partition('?')[0])} before the user has accepted"
            yield self.found(exchange, text, related=[offered.seq])
