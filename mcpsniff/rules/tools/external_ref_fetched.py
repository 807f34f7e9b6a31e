"""A client fetched what a schema refers to."""

from mcpsniff.protocol.bounded import BoundedDict
from mcpsniff.protocol.toolschema import network_references
from mcpsniff.rules.rule import CLIENT, HEURISTIC, Call, Found, HttpExchange, Message, Rule, Session, quote

from ._published import holds_references, published

KEPT = 1_000  # URIs, per session
SOON = 600.0  # seconds in which a fetch is taken for the schema's


class ExternalRefFetched(Rule):
    """The client fetches a network address that the schema of a tool refers to.

    ## Why it matters
    A server can make the client's machine ask any address, inside its network too.

    ## How to fix
    Treat references to other documents as unknown, or follow them only where the user has allowed the address.

    ## When it stays silent
    Only traffic that went through the recorder is seen. A person may have opened the address, or allowed it.
    """

    title = "A consumer fetched a network $ref of a tool schema"
    tier = 3
    violator = CLIENT
    confidence = HEURISTIC
    transport = "http"
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/index#ref-resolution"}
    by_time = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._referred: BoundedDict[str, tuple[int, float]] = BoundedDict("references", KEPT, session.dropped)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or call.method != "tools/list" or not holds_references(message):
            return
        for member in ("inputSchema", "outputSchema"):
            for _, _, schema in published("/result/tools", message.result.get("tools"), member):
                for _, uri in network_references(schema):
                    self._referred[uri.partition("#")[0]] = (message.seq, message.at)
        yield from ()

    def on_aside(self, exchange: HttpExchange) -> Found:
        seq, at = self._referred.get(exchange.url.partition("#")[0]) or (None, 0.0)
        if seq is not None and exchange.method == "GET" and 0 <= exchange.opened_at - at <= SOON:
            text = f"the client fetches {quote(exchange.url)}, which a schema refers to"
            yield self.found(exchange, text, related=[seq])
