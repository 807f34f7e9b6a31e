"""Header faults refused in the wrong way."""

from mcpsniff.protocol.headers import EVENT_STREAM, JSON, accepted
from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.mirror import lacks_version
from mcpsniff.protocol.revisions import (
    HEADER_MISMATCH,
    META_CLIENT_CAPABILITIES,
    META_VERSION,
    METHOD_NOT_FOUND,
    MISSING_CAPABILITY,
    MODERN,
    REQUESTS,
    UNSUPPORTED_VERSION,
)
from mcpsniff.rules.echoes import MIRRORED
from mcpsniff.rules.rule import ERROR, SERVER, Found, HttpExchange, Message, Rule

OTHER_REASONS = (METHOD_NOT_FOUND, MISSING_CAPABILITY, UNSUPPORTED_VERSION)  # codes of defects that cannot be seen
UNRELATED = (401, 403)


class HeaderMismatchWrongRejection(Rule):
    """A request was refused whose only fault are its mirrored headers, but not with 400 and error -32020.

    ## Why it matters
    By -32020 a client knows what to mend; anything else looks like another era, or like a fault of the request.

    ## How to fix
    Answer 400 with a JSON-RPC error of code -32020 and the id of the request.

    ## When it stays silent
    Requests with another visible fault: incomplete `_meta`, unknown version or method, an Accept header that lacks a
    type. Refusals without a JSON-RPC body may come from a gateway, 401 and 403 from authorization. A missing version
    counts only at a server that serves 2026-07-28 alone.
    """

    title = "Server rejected a header problem without 400 and -32020"
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"
    violator = SERVER
    transport = "http"
    spec = {"2026-07-28": "basic/transports/streamable-http#server-validation"}
    by_value = True
    values = MIRRORED

    def on_close(self, exchange: HttpExchange) -> Found:
        error = exchange.final
        if error is None or error.kind is not Kind.ERROR or len(exchange.messages) != 1 or exchange.status in UNRELATED:
            return
        request = exchange.messages[0]
        found = next((call.header_faults for call in exchange.calls.values()), ())
        if not found or self._other_fault(exchange, request) or error.code in OTHER_REASONS:
            return
        if lacks_version(found) and not self.session.server.modern_only:
            return
        if exchange.status != 400 or error.code != HEADER_MISMATCH:
            which = ", ".join(map(str, found))
            text = f"{which}: refused with {exchange.status} and {error.code}, not 400 and {HEADER_MISMATCH}"
            yield self.found(error, text, related=[exchange.reply_seq, request.seq, exchange.seq])

    def _other_fault(self, exchange: HttpExchange, request: Message) -> bool:
        """Whether the request has a fault that allows another refusal."""
        method = REQUESTS.get(request.method or "")
        return (
            method is None
            or not method.defined_in(MODERN)
            or request.meta.get(META_VERSION) not in (MODERN, *self.session.server.versions)
            or META_CLIENT_CAPABILITIES not in request.meta
            or not {JSON, EVENT_STREAM} <= accepted(exchange)
        )
