"""Log notifications that nobody asked for."""

from mcpsniff.rules.rule import ERROR, SERVER, Call, Found, Message, Rule

from ._asked import asked_for, asking


class LogWithoutOptIn(Rule):
    """A log notification was sent although no active request carries `io.modelcontextprotocol/logLevel`.

    ## Why it matters
    Logging is asked for with each request; what nobody asked for costs bytes and may be taken for an error.

    ## How to fix
    Send log notifications only while a request that carries logLevel is being processed, and on its stream.

    ## When it stays silent
    On stdio a log notification names no request: one open request that asked for logs is enough.
    """

    title = "Log notification although no active request asked for logs"
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"
    violator = SERVER
    spec = {"2026-07-28": "server/utilities/logging#per-request-log-level"}
    methods = ("notifications/message",)
    yields_to = ("request-scoped-on-listen",)

    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.sender != SERVER:
            return
        calls = asking(self.session, message)
        if any(call.request.truncated or asked_for(call) is not None for call in calls):
            return
        if message.exchange is None and not self.session.whole:
            yield self.unchecked("a request that asked for logs may not have been recorded")
        elif message.exchange is None or calls:
            yield self.found(message, _who_asks(calls), related=[call.seq for call in calls[:3]])


def _who_asks(calls: list[Call]) -> str:
    if len(calls) == 1:
        return f"request {calls[0].id} does not ask for logs"
    return f"none of {len(calls)} open requests asks for logs" if calls else "no request is open that asks for logs"
