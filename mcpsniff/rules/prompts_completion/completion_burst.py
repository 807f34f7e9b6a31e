"""A client asks for completions without a pause."""

import json
from collections import deque

from mcpsniff.protocol.bounded import BoundedDict
from mcpsniff.rules.rule import CLIENT, HEURISTIC, WARNING, Call, Found, Message, Rule, Session, quote

MOST = 10  # requests for one argument in a second
SECOND = 1.0
ARGUMENTS = 1_000  # of which the times are kept


class CompletionBurst(Rule):
    """The client sends more than ten completion requests a second for one argument, or the same one again at once.

    ## Why it matters
    Each key stroke costs the server a search.

    ## How to fix
    Wait until the user pauses, and keep what was answered.

    ## When it stays silent
    Requests for different arguments. Tests may do so on purpose.
    """

    title = "Client sends completion requests without debouncing"
    tier = 3
    severity = {"2024-11-05": WARNING}
    violator = CLIENT
    confidence = HEURISTIC
    until = "2025-11-25"
    spec = {"2024-11-05": "server/utilities/completion#implementation-considerations"}
    methods = ("completion/complete",)
    by_value = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._recent: BoundedDict[str, deque[tuple[float, int, object]]] = BoundedDict(
            "completion times", ARGUMENTS, session.dropped
        )

    def on_request(self, message: Message, call: Call) -> Found:
        argument = message.params.get("argument")
        name, value = (argument.get("name"), argument.get("value")) if isinstance(argument, dict) else (None, None)
        recent = self._recent.setdefault(
            json.dumps([message.params.get("ref"), name], sort_keys=True), deque(maxlen=MOST)
        )
        same = next((seq for at, seq, before in recent if before == value and message.at - at < SECOND), None)
        if same is not None:
            text = f"the same completion of {quote(name)} is asked for again within a second"
            yield self.found(message, text, related=[same], fault="same")
        elif len(recent) == MOST and message.at - recent[0][0] < SECOND:
            text = f"more than {MOST} completions of {quote(name)} in a second"
            yield self.found(message, text, related=[recent[0][1]], fault="many")
        recent.append((message.at, message.seq, value))
