"""A tool failed, and the answer is a JSON-RPC error."""

import re

from mcpsniff.protocol.revisions import INVALID_PARAMS, LEGACY, MODERN, URL_ELICITATION_REQUIRED
from mcpsniff.protocol.schema import Unjudged
from mcpsniff.rules.echoes import CANCELLATIONS
from mcpsniff.rules.params_errors import judges_params
from mcpsniff.rules.rule import HEURISTIC, INFO, SERVER, WARNING, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import error, when

INTERNAL = -32603
RESERVED = range(-32768, -31999)  # codes that JSON-RPC keeps for itself and for servers
SERVERS = range(-32099, -31999)  # of these, the servers' own
WITH_RESULTS = (LEGACY[-1], MODERN)  # revisions in which bad arguments are the tool's error, too
ABOUT_VALUES = re.compile(r"valid|argument|parameter|schema|requir|missing|expected|must", re.IGNORECASE)


class ToolErrorAsProtocolError(Rule):
    """A listed tool was called with sound arguments, and its failure came back as a JSON-RPC error.

    ## Why it matters
    The model does not see protocol errors, so that it cannot try something else.

    ## How to fix
    Catch what the tool throws and answer with a result: `isError: true` and the reason as text.

    ## When it stays silent
    Unknown tools, malformed params, -32601, -32042, capabilities, versions, retries with a state, and HTTP refusals.
    Before 2025-11-25 arguments that do not fit the inputSchema are protocol errors. Whether the tool or the server
    failed cannot be told apart.
    """

    title = "Failure inside a tool was reported as a JSON-RPC error"
    tier = 3
    severity = {"2024-11-05": WARNING}
    violator = SERVER
    confidence = HEURISTIC
    spec = {"2024-11-05": "server/tools#error-handling"}
    methods = ("tools/call",)
    yields_to = ("retired-error-code",)
    by_time = True
    echoes = CANCELLATIONS

    @when(error)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or call.twin or not message.has_error or not judges_params(message):
            return
        tool, arguments = self.session.lists.described(call), call.request.params.get("arguments", {})
        if tool is None or call.cancelled_seq is not None or not isinstance(arguments, dict):
            return
        try:
            fits = not tool.judged("inputSchema").flaws(arguments)
        except Unjudged as why:
            yield self.unchecked(f"an inputSchema: {why}")
            return
        text = f"tool {quote(call.target)} answers with error {message.code}: {quote(message.error.get('message'))}"
        related = [call.seq, tool.seq]
        if _is_tools_own(message.code):
            known = (*LEGACY, MODERN) if fits else WITH_RESULTS
            yield self.found(message, text, related=related, only_in=known)
        elif message.code == INVALID_PARAMS and call.leg is None:
            yield from self._bad_arguments(message, text, related, fits)

    def _bad_arguments(self, message: Message, text: str, related: list[int], fits: bool) -> Found:
        if not fits:
            yield self.found(message, text, related=related, only_in=(LEGACY[-1],))
        if ABOUT_VALUES.search(str(message.error.get("message"))):
            yield self.found(message, text, related=related, only_in=(MODERN,), severity=INFO, fault="arguments")


def _is_tools_own(code: int | None) -> bool:
    if code is None or code == URL_ELICITATION_REQUIRED:
        return False
    return code == INTERNAL or code in SERVERS or code not in RESERVED
