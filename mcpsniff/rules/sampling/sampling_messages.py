"""Tool uses and tool results in the messages of sampling requests: who sent bad ones, who took them."""

from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.inputs import InputRequest, InputResponse
from mcpsniff.protocol.revisions import INVALID_PARAMS
from mcpsniff.rules.rule import CLIENT, SERVER, WARNING, Found, Message, Rule

from ._history import CREATE, mixed, unbalanced

USER_REJECTED = -1


class _Messages(Rule):
    """What the rules on the server's messages share."""

    tier = 2
    violator = SERVER
    since = "2025-11-25"
    methods = (CREATE,)
    by_value = True

    def defects(self, params: dict[str, Any]) -> Iterator[tuple[int, str]]:
        """Gives each message that is wrong, and why, in words."""
        raise NotImplementedError

    def on_input_request(self, message: Message, request: InputRequest) -> Found:
        for index, wrong in self.defects(request.params):
            where = request.member("messages", index)
            yield self.found(message, f"sampling message {index} {wrong}", where=where, only_in=request.revisions)


class SamplingToolResultMixed(_Messages):
    """A message of a sampling request holds tool results together with other content, or as the assistant's.

    ## Why it matters
    Model providers have a role of their own for tool results; such a message cannot be translated.

    ## How to fix
    Put tool results, and nothing else, into one user message; say more in the next.

    ## When it stays silent
    One block counts as a list of one; several tool results are fine.
    """

    id = "sampling-tool-result-mixed"
    title = "A message mixes tool results with other content"
    spec = {"2025-11-25": "client/sampling#tool-result-messages"}

    def defects(self, params: dict[str, Any]) -> Iterator[tuple[int, str]]:
        return mixed(params)


class SamplingToolUseUnbalanced(_Messages):
    """Tool uses and tool results in a sampling request do not pair up: one is missing, unknown, extra or repeated.

    ## Why it matters
    Model providers refuse such a history.

    ## How to fix
    After each assistant message with tool uses send one user message with a result for each of their ids.

    ## When it stays silent
    Each request is judged alone. The assistant's message may hold text, too, and the order of results is free.
    """

    id = "sampling-tool-use-unbalanced"
    title = "Tool uses and tool results in sampling messages do not pair up"
    spec = {"2025-11-25": "client/sampling#tool-use-and-result-balance"}

    def defects(self, params: dict[str, Any]) -> Iterator[tuple[int, str]]:
        return unbalanced(params)


class SamplingInvalidMessagesAccepted(Rule):
    """The client takes sampling messages with missing or mixed tool results, or refuses them with another code.

    ## Why it matters
    The server never learns what is wrong with its messages.

    ## How to fix
    Check the messages before the model sees them, and answer -32602.

    ## When it stays silent
    Code -1: the user refused first. Where the client did not declare sampling.tools that comes first.
    """

    id = "sampling-invalid-messages-accepted"
    title = "Client accepted sampling messages with missing or mixed tool results"
    tier = 2
    severity = {"2025-11-25": WARNING}
    violator = CLIENT
    since, until = "2025-11-25", "2025-11-25"
    spec = {"2025-11-25": "client/sampling#error-handling"}
    methods = (CREATE,)
    by_value = True

    def on_input_response(self, message: Message, response: InputResponse) -> Found:
        request = response.request
        if response.code in (INVALID_PARAMS, USER_REJECTED):
            return
        wrong = next(iter((*mixed(request.params), *unbalanced(request.params))), None)
        if wrong is not None and any("tools" in one for one in request.declares("sampling")):
            said = f"refuses with {response.code}, not -32602" if response.refused else "answers"
            text = f"the client {said}, though sampling message {wrong[0]} {wrong[1]}"
            yield self.found(message, text, related=[request.seq])
