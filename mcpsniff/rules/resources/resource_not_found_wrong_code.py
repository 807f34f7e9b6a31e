"""A missing resource is reported with another code."""

from mcpsniff.protocol.revisions import INVALID_PARAMS, LEGACY, METHOD_NOT_FOUND, MODERN
from mcpsniff.rules.params_errors import judges_params
from mcpsniff.rules.rule import HEURISTIC, INFO, SERVER, WARNING, Call, Found, Message, Rule, quote

from ._missing import says_missing, uri_of

RESOURCE_NOT_FOUND = -32002  # of the handshake revisions; in 2026-07-28 retired-error-code


class ResourceNotFoundWrongCode(Rule):
    """The server says that a resource does not exist, with another error code than the specification gives.

    ## Why it matters
    Clients tell a missing resource from a failing server by the code.

    ## How to fix
    -32002 in the handshake revisions, -32602 from 2026-07-28 on; servers of both eras choose by the session.

    ## When it stays silent
    Only the message tells, and it must speak of the resource or its URI. URIs that are none, methods that the server
    does not have, and HTTP refusals. An empty answer for a URI in no list is a note in the handshake revisions.
    """

    title = "Missing resource was reported with another code than the revision's"
    tier = 2
    severity = {"2024-11-05": WARNING}
    violator = SERVER
    confidence = HEURISTIC
    spec = {"2024-11-05": "server/resources#error-handling"}
    methods = ("resources/read", "resources/subscribe")
    echoes = ("/params/uri",)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or call.twin or not isinstance(uri_of(call), str):
            return
        if not message.has_error:
            yield from self._empty(message, call)
        elif judges_params(message) and message.code != METHOD_NOT_FOUND and says_missing(message, call):
            text = f"{quote(uri_of(call))} is not there, says error {message.code}"
            if message.code != RESOURCE_NOT_FOUND:
                yield self.found(message, text, related=[call.seq], only_in=LEGACY)
                if message.code != INVALID_PARAMS:
                    yield self.found(message, text, related=[call.seq], only_in=(MODERN,))

    def _empty(self, message: Message, call: Call) -> Found:
        walk = self.session.lists.lacks("resources/list", str(uri_of(call)), call.seq)
        if call.method == "resources/read" and message.result.get("contents") == [] and walk is not None:
            text = f"{quote(uri_of(call))} is in no list, and the answer has no contents"
            yield self.found(message, text, related=[call.seq], severity=INFO, fault="empty", only_in=LEGACY)
