"""Pings without an answer, and late ones."""

from mcpsniff.protocol.message import OTHER
from mcpsniff.protocol.waiting import could_still_come, ended_in_order, heard_until
from mcpsniff.rules.echoes import CANCELLATIONS
from mcpsniff.rules.rule import CONTEXTUAL, ERROR, INFO, Call, Found, Message, Rule, quote

PATIENCE = 30.0  # seconds


class PingUnanswered(Rule):
    """A ping got no answer for half a minute and more, though the other side was alive.

    ## Why it matters
    A ping asks whether anybody is there. Without an answer the asker takes the connection for dead and ends it.

    ## How to fix
    Answer pings at once with an empty result, also while a long call is running.

    ## When it stays silent
    For cancelled and refused pings, where the session ended soon after, where the server died, and where the answer
    may stand in what the capture lacks. An answer that came late gets a note, and so does a ping that a server leaves
    open as it ends in order, though it had said something else since.
    """

    title = "Ping was not answered, or only after a long time"
    tier = 2
    severity = {"2024-11-05": ERROR}
    until = "2025-11-25"
    confidence = CONTEXTUAL
    methods = ("ping",)
    spec = {"2024-11-05": "basic/utilities/ping#behavior-requirements"}
    yields_to = (
        "error-response-missing-id",
        "jsonrpc-version-wrong",
        "message-shape-invalid",
        "request-id-invalid",
        "response-content-type",
        "response-empty",
    )
    echoes = CANCELLATIONS

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or call.cancelled_seq is not None:
            return
        waited = message.at - call.started
        if waited > PATIENCE:
            text = f"the ping of record {call.seq} was answered after {waited:.1f} s"
            yield self.found(message, text, related=[call.seq], severity=INFO, fault="late")

    def on_end(self) -> Found:
        for call in self.session.calls.all_open():
            if call.method != "ping" or not could_still_come(self.session, call):
                continue
            if self.session.holes or self.session.unreadable[OTHER[call.requester]]:
                yield self.unchecked("the answer may stand in what the capture lacks")
            else:
                yield from self._judge(call)

    def _judge(self, call: Call) -> Found:
        session, blamed = self.session, OTHER[call.requester]
        waited = heard_until(session) - call.started
        later = session.calls.newest_answered(call.requester)
        overtaken = later is not None and later.seq > call.seq
        alive, in_order = session.spoke.get(blamed, 0) > call.seq, ended_in_order(session)
        text = f"the ping with id {quote(call.id.text)} was open for {waited:.1f} s"
        related = [later.seq] if later is not None and overtaken else []
        if (waited >= PATIENCE and (alive or in_order)) or (in_order and overtaken):
            yield self.found(call, text, related=related, violator=blamed)
        elif in_order and alive:
            text += ", when the client closed the server's stdin"
            yield self.found(call, text, violator=blamed, severity=INFO, fault="at the end")
