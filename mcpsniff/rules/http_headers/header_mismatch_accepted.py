"""Requests served in spite of their headers."""

from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.mirror import BROKEN, DIFFERS, MISSING, lacks_version
from mcpsniff.rules.echoes import MIRRORED
from mcpsniff.rules.rule import ERROR, SERVER, Call, Found, Message, Rule

CERTAIN = (MISSING, DIFFERS, BROKEN)


class HeaderMismatchAccepted(Rule):
    """A server served a modern request whose mirrored headers are missing or wrong.

    ## Why it matters
    Whoever trusts the headers, a gateway or a limiter, is passed by: the body does what the header does not say.

    ## How to fix
    Compare the headers with the body before serving; refuse with 400 and error -32020.

    ## When it stays silent
    Notifications, and a missing version at a server that also serves handshake revisions or has not said what it
    supports: it may assume an earlier one.
    """

    title = "Server served a request whose mirrored headers are missing or wrong"
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"
    violator = SERVER
    transport = "http"
    spec = {"2026-07-28": "basic/transports/streamable-http#server-validation"}
    by_value = True
    values = MIRRORED

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.kind is not Kind.RESULT or call.request.truncated:
            return
        found = tuple(fault for fault in call.header_faults if fault.kind in CERTAIN)
        if not found or (lacks_version(found) and not self.session.server.modern_only):
            return
        text = f"{call.method} was served although its headers are wrong: {', '.join(map(str, found))}"
        yield self.found(message, text, related=[call.seq, call.request.exchange.seq])
