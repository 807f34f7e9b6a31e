"""The server uses an elicitation mode that the client did not declare, and the client does not say so."""

from mcpsniff.protocol.inputs import InputRequest, InputResponse
from mcpsniff.protocol.revisions import INVALID_PARAMS, elicitation_modes
from mcpsniff.rules.echoes import CLIENT_CAPABILITIES
from mcpsniff.rules.rule import CLIENT, SERVER, Found, Message, Rule

from ._forms import CREATE


class ElicitationModeUndeclared(Rule):
    """The server asks in form or URL mode, and the client declared only the other one.

    ## Why it matters
    The client cannot show the question and answers with an error.

    ## How to fix
    Look at `capabilities.elicitation`: an empty object means form alone, else the keys `form` and `url` count. From
    2026-07-28 on the capabilities of the very request count.

    ## When it stays silent
    Where the client declares no elicitation at all, that is undeclared-client-feature-used. Before 2025-11-25 there
    was one mode. Error -32042 is url-elicitation-error-undeclared.
    """

    id = "elicitation-mode-undeclared"
    title = "Server used an elicitation mode that the client did not declare"
    violator = SERVER
    since = "2025-11-25"
    spec = {"2025-11-25": "client/elicitation#capabilities"}
    methods = (CREATE,)
    echoes = CLIENT_CAPABILITIES

    def on_input_request(self, message: Message, request: InputRequest) -> Found:
        mode = _undeclared(request)
        if mode is not None and not message.has_error:
            text = f"elicitation in {mode} mode, which record {request.declared_seq} does not declare"
            where, known = request.member("mode"), request.revisions
            yield self.found(message, text, related=[request.declared_seq], where=where, only_in=known)


class ElicitationModeNotRejected(Rule):
    """The client does not refuse an elicitation mode that it did not declare with error -32602.

    ## Why it matters
    The server takes the answer for the user's, or does not learn what was wrong.

    ## How to fix
    Answer -32602 to a mode that is not declared.

    ## When it stays silent
    Where the client declares no elicitation at all: then -32601 is right.
    """

    id = "elicitation-mode-not-rejected"
    title = "Client did not reject an undeclared elicitation mode with -32602"
    tier = 2
    violator = CLIENT
    since, until = "2025-11-25", "2025-11-25"
    spec = {"2025-11-25": "client/elicitation#error-handling"}
    methods = (CREATE,)
    echoes = CLIENT_CAPABILITIES
    by_value = True

    def on_input_response(self, message: Message, response: InputResponse) -> Found:
        mode = _undeclared(response.request)
        if mode is not None and response.code != INVALID_PARAMS:
            said = f"error {response.code}" if response.refused else "a result"
            text = f"{mode} mode is not declared, and its use is answered with {said}"
            yield self.found(message, text, related=[response.request.seq, response.request.declared_seq])


def _undeclared(request: InputRequest) -> str | None:
    """Gives the mode that is used and declared nowhere; None where elicitation is not declared at all."""
    mode = request.mode
    if mode not in ("form", "url") or not request.declares("elicitation"):
        return None
    return None if any(mode in elicitation_modes(one) for one in request.declared or ()) else str(mode)
