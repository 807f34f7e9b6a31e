"""One sender used an id for two requests of the same session."""

from mcpsniff.rules.echoes import CANCELLATIONS
from mcpsniff.rules.rule import ERROR, Call, Found, Message, Rule
from mcpsniff.rules.when import id_reused, twin, when


class RequestIdReused(Rule):
    """A request carries an id that its sender has used before in this session.

    ## Why it matters
    The answer can no longer be matched to one request; clients drop it or give it to the wrong caller.

    ## How to fix
    Count up, and do not restart the counter on reconnect while the session lives on.

    ## When it stays silent
    The other side may use the same id: each sender has its own. "1" and 1 are two ids, 1 and 1.0 are one. A request
    sent again after the transport refused it, a replayed SSE event, a new initialize without a session id and a
    request that may come from another client are no reuse. In 2026-07-28 an id is free again once its request is
    answered, its stream has ended, or its subscription was cancelled; there a retry of a multi round-trip request is
    retry-id-reused, and a repeat after a broken stream reissue-same-id.
    """

    title = "Requestor reused a request id"
    severity = {"2024-11-05": ERROR}
    since, until = "2024-11-05", "2025-11-25"
    spec = {"2024-11-05": "basic/messages#requests", "2025-03-26": "basic/index#requests"}
    yields_to = ("notification-with-id", "http-message-broadcast")

    @when(id_reused)
    def on_request(self, message: Message, call: Call) -> Found:
        if call.first_use is not None and call.id.legal:
            open_ = " and is still unanswered" if call.same_open is not None else ""
            text = f"id {call.id} was first used by record {call.first_use}{open_}"
            yield self.found(message, text, related=[call.first_use])


class RequestIdReusedInFlight(Rule):
    """A request carries an id whose earlier request is still unanswered."""

    title = RequestIdReused.title
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/index#requests"}
    yields_to = ("notification-with-id", "retry-id-reused", "reissue-same-id")
    echoes = CANCELLATIONS

    @when(twin)
    def on_request(self, message: Message, call: Call) -> Found:
        if call.same_open is not None and call.id.legal:
            text = f"id {call.id} is already in flight: record {call.same_open.seq} waits for its answer"
            yield self.found(message, text, related=[call.same_open.seq])
