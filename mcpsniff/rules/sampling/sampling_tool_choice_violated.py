"""A sampling result does not keep to the request's toolChoice."""

from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.inputs import InputResponse
from mcpsniff.rules.rule import CLIENT, ERROR, WARNING, Found, Message, Rule, quote

from ._history import CREATE, blocks_of

Defect = tuple[str, str, bool]  # in words, severity, whether the handshake revisions forbid it, too


class SamplingToolChoiceViolated(Rule):
    """The request forbids tools and the result uses one, or demands one and there is none.

    ## Why it matters
    The server's loop waits for a tool use that never comes, or gets one that it cannot run.

    ## How to fix
    Hand `toolChoice` on to the model, and check its answer.

    ## When it stays silent
    Errors, tasks, and answers cut by maxTokens. Without a mode everything is allowed. From 2026-07-28 on a request
    without tools forbids them, too, and a tool that was not offered is a warning.
    """

    title = "Sampling result ignores toolChoice"
    tier = 2
    violator = CLIENT
    since = "2025-11-25"
    spec = {"2025-11-25": "client/sampling#tool-choice-modes"}
    methods = (CREATE,)
    by_value = True

    def on_input_response(self, message: Message, response: InputResponse) -> Found:
        if not response.value:
            return
        request = response.request
        for wrong, severity, always in _wrong(request.params, response.value):
            if always or not request.direct:
                place, known = response.where, request.revisions
                yield self.found(
                    message, wrong, related=[request.seq], where=place, severity=severity, fault=severity, only_in=known
                )


def _wrong(params: dict[str, Any], result: dict[str, Any]) -> Iterator[Defect]:
    choice, tools = params.get("toolChoice"), params.get("tools")
    mode = choice.get("mode") if isinstance(choice, dict) else None
    used = [block.get("name") for block in blocks_of(result.get("content")) if block.get("type") == "tool_use"]
    if mode == "required" and not used and result.get("stopReason") != "maxTokens":
        yield "toolChoice demands a tool, and the result uses none", ERROR, True
    elif mode == "none" and used:
        yield f"toolChoice forbids tools, and the result uses {quote(used[0])}", ERROR, True
    elif (mode == "none" or not tools) and (used or result.get("stopReason") == "toolUse"):
        yield "no tools may be used, and the result stops for one", ERROR, False
    elif isinstance(tools, list):
        offered = [tool.get("name") for tool in tools if isinstance(tool, dict)]
        for name in (name for name in used if name not in offered):
            yield f"the result uses {quote(name)}, which was not offered", WARNING, False
