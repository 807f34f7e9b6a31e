"""Header faults that nobody can see."""

from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.mirror import NAME, doubled, posted
from mcpsniff.protocol.revisions import HEADER_MISMATCH, META_VERSION, NAME_SOURCE
from mcpsniff.rules.echoes import MIRRORED
from mcpsniff.rules.rule import CONTEXTUAL, ERROR, SERVER, Call, Found, HttpExchange, Message, Rule


class HeaderMismatchSpurious(Rule):
    """The server refused a request for its mirrored headers, but they are right.

    ## Why it matters
    The client has nothing to mend; it fetches the tool list again and fails again.

    ## How to fix
    Compare after trimming white space and decoding base64, names of headers without case, numbers by value.

    ## When it stays silent
    Calls of a tool whose definition the client did not get in the capture, or that may have changed; headers that stand
    twice; requests that went through a gateway (Via), which may have changed them.
    """

    title = "Server claims a header mismatch that is not visible"
    tier = 2
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"
    violator = SERVER
    transport = "http"
    spec = {"2026-07-28": "basic/transports/streamable-http#server-validation"}
    confidence = CONTEXTUAL
    by_value = True
    values = MIRRORED

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.kind is not Kind.ERROR or message.code != HEADER_MISMATCH or call.header_faults:
            return
        exchange = posted(call.request)
        if exchange is not None and self._is_right(exchange, call):
            text = f"{call.method} was refused with {HEADER_MISMATCH}, but its headers say what its body says"
            yield self.found(message, text, related=[call.seq, exchange.seq])

    def _is_right(self, exchange: HttpExchange, call: Call) -> bool:
        """Whether the headers that the server may compare are known to be right."""
        if META_VERSION not in call.request.meta or doubled(exchange) or exchange.header("via"):
            return False
        named = exchange.header(NAME) is not None and call.method not in NAME_SOURCE
        if named or call.method.startswith("tasks/"):  # the extension has headers of its own
            return False
        tool = self.session.lists.known_tool(call.target) if call.method == "tools/call" else None
        return call.method != "tools/call" or (tool is not None and not tool.annotated.faulty)
