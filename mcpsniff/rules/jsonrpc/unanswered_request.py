"""Requests that were left waiting."""

from mcpsniff.protocol.message import CLIENT, OTHER
from mcpsniff.protocol.revisions import LEGACY
from mcpsniff.protocol.waiting import could_still_come, ended_in_order, heard_until
from mcpsniff.rules.echoes import CANCELLATIONS, PROGRESS_TOKENS
from mcpsniff.rules.rule import CONTEXTUAL, ERROR, INFO, WARNING, Call, Found, Rule, quote

PATIENCE = 60.0  # seconds of silence, while later requests are answered
ENDLESS = frozenset(("ping", "subscriptions/listen", "tasks/result"))  # judged elsewhere, or meant to stay open


class UnansweredRequest(Rule):
    """A request got no answer for a minute and more, while the peer answered a later one.

    ## Why it matters
    The caller waits until it gives up, without a word of what went wrong.

    ## How to fix
    Answer every request, with an error where there is no result; look for a handler that died or a lost task.

    ## When it stays silent
    Cancelled and refused requests need no answer. Nothing is said while progress still flows, when either side ended
    the connection before the minute was over, when the server died (server-exited-in-session says so), when the answer
    may stand in a gap or in a line that could not be read, and where another finding explains the silence. In the
    handshake era a request that a server leaves open as it ends in order after the client's end of input gets a note,
    and counts in full where a later one was answered.
    """

    title = "A request never got a response although the peer kept working"
    severity = {"2024-11-05": ERROR, "2026-07-28": WARNING}
    confidence = CONTEXTUAL
    violator = "either"
    spec = {
        "2024-11-05": "basic/messages#responses",
        "2025-03-26": "basic/lifecycle#timeouts",
        "2026-07-28": "basic/patterns/index",
    }
    yields_to = (
        "error-response-missing-id",
        "http-poll-abandoned",
        "json-response-not-single-object",
        "jsonrpc-version-wrong",
        "message-shape-invalid",
        "notification-with-id",
        "request-id-invalid",
        "response-content-type",
        "response-empty",
        "server-exits-on-probe",
        "stream-ended-without-response",
    )
    echoes = (*CANCELLATIONS, *PROGRESS_TOKENS, "/params/progress")

    def on_end(self) -> Found:
        until = heard_until(self.session)
        for call in self.session.calls.all_open():
            if call.method in ENDLESS or not could_still_come(self.session, call):
                continue
            if self.session.holes or self.session.unreadable[OTHER[call.requester]]:
                yield self.unchecked("the answer may stand in what the capture lacks")
                continue
            yield from self._judge(call, until - max(call.started, call.progress_at or 0.0))

    def _judge(self, call: Call, waited: float) -> Found:
        """Gives the finding on a request that waited so many seconds."""
        later, blamed = self.session.calls.newest_answered(call.requester), OTHER[call.requester]
        overtaken = later is not None and later.seq > call.seq
        related = [later.seq if later is not None and overtaken else None]
        text = f"{quote(call.method)} with id {quote(call.id.text)} was open for {waited:.1f} s"
        if overtaken:
            text += f", while the later request of record {related[0]} was answered"
        if waited >= PATIENCE and overtaken:
            yield self.found(call, text, related=related, violator=blamed)
        elif waited < PATIENCE and call.requester == CLIENT and ended_in_order(self.session):
            severity = None if overtaken and call.progress_at is None else INFO
            text += ", when the client closed the server's stdin"
            yield self.found(
                call, text, related=related, violator=blamed, severity=severity, fault="at the end", only_in=LEGACY
            )
