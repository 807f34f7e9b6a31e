"""What a sampling request may ask for by the client's capabilities: tools and context."""

from typing import Any

from mcpsniff.protocol.inputs import InputRequest, InputResponse
from mcpsniff.rules.echoes import CLIENT_CAPABILITIES
from mcpsniff.rules.rule import CLIENT, INFO, SERVER, WARNING, Found, Message, Rule, quote

from ._history import CREATE, turns

CONTEXTS = ("thisServer", "allServers")
TOOL_BLOCKS = ("tool_use", "tool_result")


class SamplingToolsUndeclared(Rule):
    """A sampling request has `tools` or `toolChoice`, and the client did not declare `sampling.tools`.

    ## Why it matters
    The client does not know tools in sampling: it refuses, or the model gets none.

    ## How to fix
    Look for `sampling.tools` in the client's capabilities, from 2026-07-28 on in those of the very request.

    ## When it stays silent
    Where sampling is not declared at all (undeclared-client-feature-used), and where capabilities were not seen. An
    empty list of tools counts. Tool uses and results in the messages alone are a note.
    """

    id = "sampling-tools-undeclared"
    title = "Tool-enabled sampling request without sampling.tools"
    tier = 2
    violator = SERVER
    since = "2025-11-25"
    spec = {"2025-11-25": "client/sampling#tools-in-sampling"}
    methods = (CREATE,)
    echoes = CLIENT_CAPABILITIES

    def on_input_request(self, message: Message, request: InputRequest) -> Found:
        if not _undeclared(request, "tools"):
            return
        where, seq = request.where, request.declared_seq
        used = _tool_members(request.params)
        if used:
            text = f"{' and '.join(used)} in a sampling request, but record {seq} does not declare sampling.tools"
            yield self.found(message, text, related=[seq], where=where, only_in=request.revisions)
        elif any(turn.of_type(kind) for turn in turns(request.params) for kind in TOOL_BLOCKS):
            text = f"tool uses in a sampling request, but record {seq} does not declare sampling.tools"
            yield self.found(
                message, text, related=[seq], where=where, only_in=request.revisions, severity=INFO, fault="messages"
            )


class SamplingToolsAcceptedUndeclared(Rule):
    """The client answers a sampling request with tools though it did not declare `sampling.tools`.

    ## Why it matters
    The server takes the answer for one that had the tools before it.

    ## How to fix
    Declare the capability, or answer with an error.

    ## When it stays silent
    Errors with any code. Before 2025-11-25 `tools` is an unknown member.
    """

    id = "sampling-tools-accepted-undeclared"
    title = "Client answered tool-enabled sampling although it did not declare sampling.tools"
    tier = 2
    violator = CLIENT
    since, until = "2025-11-25", "2025-11-25"
    spec = {"2025-11-25": "client/sampling#tools-in-sampling"}
    methods = (CREATE,)
    echoes = CLIENT_CAPABILITIES

    def on_input_response(self, message: Message, response: InputResponse) -> Found:
        request = response.request
        used = _tool_members(request.params)
        if not response.refused and used and _undeclared(request, "tools"):
            text = (
                f"the client answers a sampling request with {' and '.join(used)}, but does not declare sampling.tools"
            )
            yield self.found(message, text, related=[request.seq, request.declared_seq])


class IncludeContextUndeclared(Rule):
    """A sampling request asks for the context of servers, and the client did not declare `sampling.context`.

    ## Why it matters
    The client leaves the context out, and the model answers without it.

    ## How to fix
    Leave `includeContext` out, or use "none"; put what the model needs into the messages.

    ## When it stays silent
    Where sampling is not declared at all, and where capabilities were not seen. With the capability it is a note: the
    values are deprecated. Before 2025-11-25 there was no such capability.
    """

    id = "include-context-undeclared"
    title = "Deprecated includeContext value, or used without sampling.context"
    tier = 2
    severity = {"2025-11-25": WARNING}
    violator = SERVER
    since = "2025-11-25"
    spec = {"2025-11-25": "client/sampling#capabilities"}
    methods = (CREATE,)
    echoes = CLIENT_CAPABILITIES

    def on_input_request(self, message: Message, request: InputRequest) -> Found:
        value, declared = request.params.get("includeContext"), request.declares("sampling")
        if value not in CONTEXTS or not declared:
            return
        if _undeclared(request, "context"):
            severity, text = None, f"includeContext is {quote(value)}, but sampling.context is not declared"
        else:
            severity, text = INFO, f"includeContext is {quote(value)}, which is deprecated"
        yield self.found(
            message, text, related=[request.declared_seq], where=request.member("includeContext"),
            severity=severity, only_in=request.revisions,
        )  # fmt: skip


def _undeclared(request: InputRequest, name: str) -> bool:
    """Whether the client declares sampling, but not this part of it."""
    declared = request.declares("sampling")
    return bool(declared) and not any(isinstance(one.get(name), dict) or one.get(name) is True for one in declared)


def _tool_members(params: dict[str, Any]) -> list[str]:
    return [name for name in ("tools", "toolChoice") if name in params]
