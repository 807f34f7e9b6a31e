"""The _meta of a tool use was lost on its way back."""

from typing import Any

from mcpsniff.protocol.bounded import BoundedDict
from mcpsniff.protocol.inputs import InputRequest, InputResponse
from mcpsniff.rules.rule import HEURISTIC, SERVER, WARNING, Found, Message, Rule, Session, quote

from ._history import CREATE, blocks_of, turns

KEPT = 10_000  # tool uses with _meta, per session


class SamplingMetaDropped(Rule):
    """A sampling result has a tool use with `_meta`, and a later request repeats it without, or with another one.

    ## Why it matters
    Clients keep marks there (a cache key, a signature of the model's thought) that the model needs back.

    ## How to fix
    Put the blocks of a sampling result into the history as they came.

    ## When it stays silent
    A history that leaves the block out. The schema speaks of clients, but it is the server that writes the history.
    """

    title = "_meta of a tool use was lost in a follow-up sampling request"
    tier = 3
    severity = {"2025-11-25": WARNING}
    violator = SERVER
    confidence = HEURISTIC
    since = "2025-11-25"
    spec = {"2025-11-25": "schema#toolusecontent"}
    methods = (CREATE,)
    by_value = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._uses: BoundedDict[str, tuple[Any, int]] = BoundedDict("sampled tool uses", KEPT, session.dropped)

    def on_input_request(self, message: Message, request: InputRequest) -> Found:
        for turn in turns(request.params):
            for block in turn.of_type("tool_use"):
                meta, seq = self._uses.get(str(block.get("id"))) or (None, None)
                if meta is not None and block.get("_meta") != meta:
                    text = f"tool use {quote(block.get('id'))} comes back without the _meta that it had"
                    where = request.member("messages", turn.index)
                    yield self.found(message, text, related=[seq], where=where, only_in=request.revisions)

    def on_input_response(self, message: Message, response: InputResponse) -> Found:
        for block in blocks_of(response.value.get("content")):
            if block.get("type") == "tool_use" and isinstance(block.get("id"), str) and block.get("_meta"):
                self._uses[block["id"]] = (block["_meta"], message.seq)
        yield from ()
