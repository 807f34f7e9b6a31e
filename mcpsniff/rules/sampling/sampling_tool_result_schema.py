"""A tool result in a sampling message does not fit the tool's outputSchema."""

from typing import Any

from mcpsniff.protocol.inputs import InputRequest
from mcpsniff.protocol.schema import Unjudged
from mcpsniff.protocol.toolschema import judge
from mcpsniff.rules.rule import SERVER, WARNING, Found, Message, Rule, Session, quote

from ._history import CREATE, turns


class SamplingToolResultSchema(Rule):
    """`structuredContent` of a tool result in a sampling message does not fit the `outputSchema` of the tool.

    ## Why it matters
    The model reads data that is not what the tool was said to give.

    ## How to fix
    Pass on what the tool returned, or correct its outputSchema.

    ## When it stays silent
    Errors of the tool, tools without an outputSchema, and tools that two requests describe differently. A schema that
    mcpsniff cannot judge is reported as unchecked.
    """

    title = "Structured tool result in sampling does not fit the tool's outputSchema"
    tier = 2
    severity = {"2025-11-25": WARNING}
    violator = SERVER
    since, until = "2025-11-25", "2025-11-25"
    spec = {"2025-11-25": "client/sampling#tool-result-messages"}
    methods = (CREATE,)
    echoes = ("/params/tools",)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._before: dict[str, Any] = {}  # output schemas by tool, of the request before

    def on_input_request(self, message: Message, request: InputRequest) -> Found:
        here = _schemas(request.params.get("tools"))
        before, self._before = self._before, here or self._before
        changed = {name for name in here if before.get(name, here[name]) != here[name]}
        known = {name: schema for name, schema in {**before, **here}.items() if name not in changed}
        for where, name, value in _results(request):
            try:
                flaws = judge(known[name]).flaws(value) if name in known else []
            except Unjudged as why:
                yield self.unchecked(f"an outputSchema: {why}")
                continue
            if flaws:
                text = f"tool {quote(name)}: structuredContent {quote(str(flaws[0]), 160)}"
                yield self.found(message, text, where=where)


def _schemas(tools: Any) -> dict[str, Any]:
    known = [tool for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
    return {
        tool["name"]: tool["outputSchema"]
        for tool in known
        if isinstance(tool.get("name"), str) and isinstance(tool.get("outputSchema"), dict)
    }


def _results(request: InputRequest) -> list[tuple[str, str, Any]]:
    """Gives place, tool and structured content of each successful tool result."""
    history = turns(request.params)
    names = {
        block["id"]: block.get("name")
        for turn in history
        for block in turn.of_type("tool_use")
        if isinstance(block.get("id"), str)
    }
    out = []
    for turn in history:
        for block in turn.of_type("tool_result"):
            name = names.get(str(block.get("toolUseId")))
            if isinstance(name, str) and "structuredContent" in block and block.get("isError") is not True:
                where = request.member("messages", turn.index, "content")
                out.append((where, name, block["structuredContent"]))
    return out
