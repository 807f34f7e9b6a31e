"""A tool loop in sampling goes on and on."""

from typing import Any

from mcpsniff.protocol.inputs import InputRequest
from mcpsniff.rules.rule import EITHER, HEURISTIC, WARNING, Found, Message, Rule, Session

from ._history import CREATE, turns

MOST = 25  # requests of one chain


class SamplingToolLoopUnbounded(Rule):
    """More than 25 sampling requests, each with the history of the one before and new tool results.

    ## Why it matters
    A loop without an end costs the user's money.

    ## How to fix
    Both sides limit the rounds; let the last one run with `toolChoice: {"mode": "none"}`.

    ## When it stays silent
    Conversations that do not go on with one another.
    """

    title = "Sampling tool loop without an apparent limit"
    tier = 3
    severity = {"2025-11-25": WARNING}
    violator = EITHER
    confidence = HEURISTIC
    since, until = "2025-11-25", "2025-11-25"
    spec = {"2025-11-25": "client/sampling#security-considerations"}
    methods = (CREATE,)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._history: list[Any] = []  # messages of the latest request
        self._chain: list[int] = []  # records of the requests that each go on with the one before

    def on_input_request(self, message: Message, request: InputRequest) -> Found:
        messages, before = request.params.get("messages"), self._history
        self._history = messages if isinstance(messages, list) else []
        longer = len(self._history) > len(before) > 0 and self._history[: len(before)] == before
        answered = any(turn.of_type("tool_result") for turn in turns(request.params) if turn.index >= len(before))
        self._chain = [*self._chain, message.seq] if longer and answered else [message.seq]
        if len(self._chain) == MOST + 1:
            text = f"{len(self._chain)} sampling requests, each with the tool results of the one before"
            yield self.found(message, text, related=self._chain[:1])
