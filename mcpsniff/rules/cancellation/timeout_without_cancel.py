"""Requests that were given up without a word."""

from __future__ import annotations

from typing import Any

from mcpsniff.protocol.bounded import BoundedDict
from mcpsniff.protocol.message import CLIENT
from mcpsniff.protocol.revisions import LEGACY
from mcpsniff.rules.echoes import CANCELLATIONS
from mcpsniff.rules.rule import CONTEXTUAL, WARNING, Call, Found, HttpExchange, Message, Rule, Session
from mcpsniff.rules.when import is_method, when

REPEATABLE = (  # methods whose repetition with the same parameters shows that the first is given up
    "tools/call",
    "prompts/get",
    "resources/read",
    "completion/complete",
    "sampling/createMessage",
    "elicitation/create",
)
NEVER = frozenset(("initialize", "tasks/get", "tasks/result"))  # must not be cancelled, or may be dropped
BY_DESIGN = 5.0  # seconds within which equal requests may run side by side, and a drop may be any breakdown
PATIENCE = 60.0  # seconds for which more may come where the capture was cut
CAP = 1_000  # requests held, of each kind
_Target = tuple[str, str, str | None]


class TimeoutWithoutCancel(Rule):
    """A request was given up, by dropping its connection or sending it again, and no cancellation was sent.

    ## Why it matters
    The receiver works on for nobody: a dropped connection is no cancellation, and a repeated call runs twice.

    ## How to fix
    After a timeout send `notifications/cancelled` with the id of the request, then stop waiting.

    ## When it stays silent
    initialize, requests that make tasks, streams that are resumed with Last-Event-ID, drops within five seconds and
    equal requests that close together. What is answered after all was not given up; near the end of a capture that was
    cut the answer may have come. Where the server's stream stayed
    empty for minutes, that is the fault (stream-ended-without-response).
    """

    title = "Sender gave up on a request without sending a cancellation"
    tier = 2
    severity = {"2025-03-26": WARNING}
    confidence = CONTEXTUAL
    since, until = "2025-03-26", LEGACY[-1]
    spec = {"2025-03-26": "basic/lifecycle#timeouts"}
    yields_to = ("stream-ended-without-response",)
    echoes = CANCELLATIONS

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        # the oldest that waits, by sender, method and target
        self._waiting: BoundedDict[_Target, Call] = BoundedDict("requests by target", CAP, session.dropped)
        self._dropped: list[tuple[Call, int, float]] = []  # request, record of the close, seconds
        self._repeated: list[tuple[Call, Message]] = []
        self._resumed = 0.0  # seconds, of the latest GET with Last-Event-ID

    @when(is_method(*REPEATABLE))
    def on_request(self, message: Message, call: Call) -> Found:
        if call.method in REPEATABLE and "task" not in message.texts:
            target = (call.requester, call.method, call.target)
            earlier = self._waiting.get(target)
            if earlier is None or not earlier.open:
                self._waiting[target] = call
            elif _repeats(earlier, call) and len(self._repeated) < CAP:
                self._repeated.append((earlier, message))
        yield from ()

    def on_reply(self, exchange: HttpExchange) -> Found:
        if exchange.method == "GET" and exchange.header("last-event-id") is not None:
            self._resumed = exchange.opened_at
        yield from ()

    def on_close(self, exchange: HttpExchange) -> Found:
        if exchange.closed_by == "client" and exchange.closed_seq is not None and exchange.closed_at is not None:
            for call in exchange.calls.values():
                asks = call.requester == CLIENT and call.method not in NEVER and "task" not in call.request.params
                if asks and call.open and exchange.closed_at - call.started > BY_DESIGN and len(self._dropped) < CAP:
                    self._dropped.append((call, exchange.closed_seq, exchange.closed_at))
        yield from ()

    def on_end(self) -> Found:
        for call, seq, at in self._dropped:
            if call.open and self._resumed < at and not self._may_go_on(at):
                age = at - call.started
                text = f"the connection of request {call.id} was dropped after {age:.1f} s, and nothing cancelled it"
                yield self.found(call.request, text, related=[seq])
        for call, repeat in self._repeated:
            if call.open and not self._may_go_on(repeat.at):
                age = repeat.at - call.started
                text = f"request {call.id} was sent again after {age:.1f} s as {repeat.id}, and nothing cancelled it"
                yield self.found(call.request, text, related=[repeat.seq])

    def _may_go_on(self, at: float) -> bool:
        """Whether what was seen last may have been made good behind the end of a cut capture."""
        return self.session.cut and self.session.end_at - at < PATIENCE


def _repeats(earlier: Call, call: Call) -> bool:
    """Whether a request says the same as one that has waited too long for two that run side by side."""
    waited = call.started - earlier.started
    return waited > BY_DESIGN and earlier.id != call.id and _params(earlier) == _params(call)


def _params(call: Call) -> dict[str, Any]:
    return {name: value for name, value in call.request.params.items() if name != "_meta"}
