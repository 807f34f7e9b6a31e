"""Requests that were left waiting."""

from mcpsniff.protocol.message import CLIENT, OTHER
from mcpsniff.rules.rule import CONTEXTUAL, ERROR, WARNING, Call, Found, Rule, quote

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
    may stand in a gap or in a line that could not be read, and where another finding explains the silence.
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
        "ping-unanswered",
        "request-id-invalid",
        "response-content-type",
        "response-empty",
        "server-exits-on-probe",
        "stream-ended-without-response",
    )

    def on_end(self) -> Found:
        for call in self.session.calls.all_open():
            later = self.session.calls.newest_answered(call.requester)
            if call.method in ENDLESS or later is None or later.seq < call.seq or not self._can_still_come(call):
                continue
            waited = self._end() - max(call.started, call.progress_at or 0.0)
            if waited < PATIENCE:
                continue
            if self.session.holes or self.session.unreadable[OTHER[call.requester]]:
                yield self.unchecked("the answer may stand in what the capture lacks")
                continue
            text = (
                f"{quote(call.method)} with id {quote(call.id.text)} waited {waited:.0f} s for an answer, "
                f"while the later request of record {later.seq} got its own"
            )
            blamed = OTHER[call.requester]
            yield self.found(call, text, related=[later.seq], violator=blamed)

    def _end(self) -> float:
        """Gives until when an answer could come, in seconds."""
        process = self.session.process
        ends = [at for _, at in process.eof.values()] if process is not None else []
        if process is not None and process.exit_at is not None:
            ends.append(process.exit_at)
        return min([self.session.end_at, *ends])

    def _can_still_come(self, call: Call) -> bool:
        """Whether nothing but the peer's silence keeps the answer back."""
        process = self.session.process
        if process is not None:
            return not process.died
        exchange = call.exchange
        over_stream = self.session.transport == "http" and call.requester == CLIENT
        return not over_stream or exchange is None or exchange.closed_seq is None
