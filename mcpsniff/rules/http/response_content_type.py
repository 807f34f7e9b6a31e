"""Media types of the answers to requests."""

from mcpsniff.protocol.headers import EVENT_STREAM, JSON
from mcpsniff.protocol.message import CLIENT, Kind
from mcpsniff.rules.rule import ERROR, SERVER, Found, HttpExchange, Rule, quote

BODILESS = (202, 204)


class _ContentType(Rule):
    """What both classes share."""

    title = "Request was answered with another content type than JSON or SSE"
    violator = SERVER
    transport = "http"
    spec = {
        "2025-03-26": "basic/transports#sending-messages-to-the-server",
        "2026-07-28": "basic/transports/streamable-http#sending-messages",
    }

    def _wrong(self, exchange: HttpExchange, how: str) -> Found:
        text = f"{exchange.requests[0].method} was answered {exchange.status} {how}"
        related = [exchange.seq, exchange.requests[0].seq]
        yield self.found(exchange, text, seq=exchange.reply_seq, related=related, where="Content-Type")


class ResponseContentType(_ContentType):
    """A request was answered with success, but neither as `application/json` nor as `text/event-stream`.

    ## Why it matters
    Clients choose their parser by the content type and give up on any other, whatever the body says.

    ## How to fix
    Set the content type of the answer; answer a request with 200 and a body, never with 202 as if it were a
    notification.

    ## When it stays silent
    Parameters of the media type do not matter. Error statuses may have any body, but in 2026-07-28 a JSON-RPC error
    needs its type, too. A request whose id is no id may be taken for a notification. Where no answer came over
    Streamable HTTP before, 202 may be that of an old HTTP+SSE stream that was not recorded.
    """

    id = "response-content-type"
    severity = {"2025-03-26": ERROR}
    since = "2025-03-26"

    def on_close(self, exchange: HttpExchange) -> Found:
        status, requests = exchange.status, exchange.requests
        if status is None or not 200 <= status < 300 or not requests or exchange.method != "POST":
            return
        if any(request.id is None or not request.id.legal for request in requests):
            return
        if status in BODILESS:
            yield from self._bodiless(exchange)
        elif exchange.media_type not in (JSON, EVENT_STREAM):
            yield from self._wrong(exchange, _shown(exchange))

    def _bodiless(self, exchange: HttpExchange) -> Found:
        if exchange.reply_messages or exchange.is_stream or not exchange.ended:
            return
        if self.session.calls.newest_answered(CLIENT) is None:
            yield self.unchecked("the answer may have come on a stream that was not recorded")
        else:
            yield from self._wrong(exchange, "without an answer, as if it were a notification")


class ErrorContentType(_ContentType):
    """The same for a JSON-RPC error under an error status, which has its type from 2026-07-28 on."""

    id = "response-content-type"
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"

    def on_close(self, exchange: HttpExchange) -> Found:
        refused = exchange.failed and exchange.final is not None and exchange.final.kind is Kind.ERROR
        if refused and exchange.requests and exchange.media_type not in (JSON, EVENT_STREAM):
            yield from self._wrong(exchange, _shown(exchange))


def _shown(exchange: HttpExchange) -> str:
    body = next((text for sender, _, text in exchange.texts if sender == SERVER), "")
    begins = f': "{quote(body, 40)}"' if body else ""
    return f"{'as ' + quote(exchange.media_type) if exchange.media_type else 'without a content type'}{begins}"
