"""A bad prompt or completion request is answered with another error code."""

from mcpsniff.protocol.revisions import INVALID_PARAMS, LEGACY, METHOD_NOT_FOUND, MODERN, declares
from mcpsniff.rules.params_errors import judges_params
from mcpsniff.rules.rule import CONTEXTUAL, INFO, SERVER, WARNING, Call, Found, Message, Rule, quote

from ._asked import missing_arguments, prompt_of

WITH_CAPABILITY = LEGACY[1:]  # revisions in which completion has a capability


class PromptOrCompletionErrorCode(Rule):
    """The client names a prompt that is not there, or leaves something out, and the error is not -32602.

    ## Why it matters
    Clients tell a wrong request from a failing server by the code.

    ## How to fix
    -32602 for an unknown prompt, a missing argument, a completion without `ref` or `argument`; -32601 for completion
    that the server does not have.

    ## When it stays silent
    The whole list of prompts must have been seen before, with no change notification since. -32601 is right where the
    server declares no prompts; internal errors of a prompt that exists are its own. Templates may be hidden. From
    2026-07-28 on a result for an unknown prompt is a note.
    """

    title = "Invalid prompt or completion request got another code than -32602"
    tier = 2
    severity = {"2024-11-05": WARNING}
    violator = SERVER
    confidence = CONTEXTUAL
    spec = {"2024-11-05": "server/prompts#error-handling"}
    methods = ("prompts/get", "completion/complete")
    by_value = True

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or call.twin:
            return
        why, seq = self._fault(call)
        if not message.has_error:
            if call.method == "prompts/get" and why.startswith("prompt"):
                text = f"{why}, and is given"
                yield self.found(
                    message, text, related=[call.seq, seq], severity=INFO, fault="given", only_in=(MODERN,)
                )
        elif judges_params(message) and message.code not in (INVALID_PARAMS, METHOD_NOT_FOUND):
            yield from self._undeclared(message, call) if not why else ()
            if why:
                yield self.found(message, f"{why}, and the error is {message.code}", related=[call.seq, seq])
        elif why and message.code == METHOD_NOT_FOUND and self._declares(call):
            yield self.found(message, f"{why}, and the error is {message.code}", related=[call.seq, seq])

    def _fault(self, call: Call) -> tuple[str, int | None]:
        """Gives what is wrong with a request, in words, and the record of the list that says so."""
        lists, name, params = self.session.lists, prompt_of(call), call.request.params
        if call.method == "completion/complete" and not ("ref" in params and "argument" in params):
            return "a completion without ref or argument", None
        walk = lists.lacks("prompts/list", name, call.seq) if name is not None else None
        if walk is not None:
            return f"prompt {quote(name)} is unknown", walk.pages[-1][0]
        missing, walk = missing_arguments(call, lists) if call.method == "prompts/get" else ([], None)
        if missing and walk is not None:
            return f"argument {quote(missing[0])} of prompt {quote(name)} is missing", walk.pages[-1][0]
        return "", None

    def _declares(self, call: Call) -> bool:
        """Whether the server is known to have the method."""
        needed = ("prompts",) if call.method == "prompts/get" else ("completions",)
        known = (self.session.server_capabilities, self.session.discovered_capabilities)
        return any(declares(one, needed) for one in known)

    def _undeclared(self, message: Message, call: Call) -> Found:
        declared, said = self.session.server_capabilities, self.session.initialize_result
        if call.method != "completion/complete" or declared is None or said is None:
            return
        if not declares(declared, ("completions",)):
            text = f"completion is not declared, and the error is {message.code}, not -32601"
            yield self.found(message, text, related=[call.seq, said.seq], only_in=WITH_CAPABILITY)
