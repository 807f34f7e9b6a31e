"""The HTTP status does not fit the JSON-RPC error."""

from mcpsniff.protocol.revisions import (
    HEADER_MISMATCH,
    METHOD_NOT_FOUND,
    MISSING_CAPABILITY,
    UNSUPPORTED_VERSION,
)
from mcpsniff.rules.rule import SERVER, Call, Found, HttpExchange, Message, Rule

STATUS = {HEADER_MISMATCH: 400, MISSING_CAPABILITY: 400, UNSUPPORTED_VERSION: 400, METHOD_NOT_FOUND: 404}
GATEWAY = frozenset((429, 502, 503, 504))  # statuses that something between client and server puts in
KEEP_ALIVE = 15.0  # seconds after which a server opens the stream to keep it alive


class ErrorStatusMismatch(Rule):
    """A JSON-RPC error comes with another HTTP status than the transport gives it.

    ## Why it matters
    Gateways, caches and clients that look at the status alone take a refusal for a success, or the reverse.

    ## How to fix
    400 for -32020, -32021 and -32022, 404 for -32601.

    ## When it stays silent
    Other codes have no fixed status, but for -32602 where `_meta` lacks a required field, which is
    malformed-meta-wrong-error. On an SSE stream that had carried something before,
    or was open for 15 seconds, the status was fixed before the error was known.
    """

    title = "HTTP status does not fit the JSON-RPC error code"
    violator = SERVER
    transport = "http"
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/transports/streamable-http#server-validation"}
    yields_to = ("header-mismatch-wrong-rejection",)
    by_time = True

    def on_answer(self, message: Message, call: Call | None) -> Found:
        exchange: HttpExchange | None = message.exchange
        if exchange is None or message.sender != SERVER or not message.has_error or exchange.status in GATEWAY:
            return
        wanted = STATUS.get(message.code) if message.code is not None else None
        if wanted is None or exchange.status in (None, wanted) or _status_came_first(exchange, message):
            return
        text = f"error {message.code} with HTTP status {exchange.status}, not {wanted}"
        related = [seq for seq in (exchange.reply_seq, exchange.seq) if seq is not None]
        yield self.found(message, text, related=related, fault=f"{message.code} {exchange.status}")


def _status_came_first(exchange: HttpExchange, message: Message) -> bool:
    """Whether a stream was under way when the error came; only the first message on it can still choose the status."""
    if not exchange.is_stream:
        return False
    waited = message.at - (exchange.reply_at if exchange.reply_at is not None else message.at)
    return exchange.reply_messages > 1 or waited >= KEEP_ALIVE
