"""The structured content of a tool result, held against the tool's outputSchema."""

from mcpsniff.protocol.content import ToolResult, tool_result
from mcpsniff.protocol.revisions import LEGACY, REVISIONS
from mcpsniff.protocol.schema import Unjudged
from mcpsniff.protocol.toolschema import Judged, judge
from mcpsniff.rules.echoes import TOOLS
from mcpsniff.rules.rule import CONTEXTUAL, SERVER, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import either, has, is_method, lacks, result, when


class _StructuredContent(Rule):
    """What both share."""

    violator = SERVER
    confidence = CONTEXTUAL
    since = "2025-06-18"
    spec = {"2025-06-18": "server/tools#output-schema"}
    methods = ("tools/call", "tasks/result", "tasks/get")

    def outcome(self, message: Message, call: Call | None) -> ToolResult | None:
        """Gives the successful result of a tool call in an answer."""
        result = tool_result(self.session, message, call)
        return None if result is None or result.value.get("isError") is True else result

    def schemas(self, call: Call) -> tuple[int, list[Judged]]:
        """Gives the record that describes the tool, and its output schemas: two where it changed during the call."""
        tool = self.session.lists.tools.get(call.target or "")
        if tool is None or self.session.lists.is_stale("tools/list"):
            return 0, []
        earlier = tool.earlier if tool.seq > call.seq else tool.definition
        if earlier is None or any(one.get("outputSchema") is None for one in (tool.definition, earlier)):
            return tool.seq, []
        now = tool.judged("outputSchema")
        return tool.seq, [now] if earlier is tool.definition else [now, judge(earlier["outputSchema"])]


class StructuredContentMismatch(_StructuredContent):
    """`structuredContent` of a tool result does not fit the `outputSchema` that the server gave for the tool.

    ## Why it matters
    Clients check it and refuse the result; programs that trust the schema break.

    ## How to fix
    Build both from one type, and describe what is really returned (also null, and missing members).

    ## When it stays silent
    Errors of the tool are exempt. The tool must have been listed before the call; where the list has changed since,
    nothing is said, in the handshake revisions only what fits neither schema. Formats are notes. A schema that mcpsniff
    cannot judge (other dialect, references to other documents, too large) is reported as unchecked.
    """

    id = "structured-content-mismatch"
    title = "structuredContent does not conform to the tool's outputSchema"
    yields_to = ("structured-content-not-object",)
    by_value = True
    values = ("/params/name", "/result/isError", "/result/result/isError", "/result/task", *TOOLS)

    @when(result, either(has("structuredContent"), is_method("tasks/get")))
    def on_answer(self, message: Message, call: Call | None) -> Found:
        outcome = self.outcome(message, call)
        if outcome is None or "structuredContent" not in outcome.value:
            return
        made, where = outcome.call, outcome.where
        seq, schemas = self.schemas(made)
        try:
            misfits = [schema.flaws(outcome.value["structuredContent"]) for schema in schemas]
        except Unjudged as why:
            yield self.unchecked(f"an outputSchema: {why}")
            return
        if misfits and all(misfits):
            flaw = misfits[0][0]
            text = f"tool {quote(made.target)}: structuredContent{quote(flaw.where, 60)} {quote(flaw.why, 120)}"
            place = f"{where}/structuredContent{flaw.where}"
            known = LEGACY if len(schemas) > 1 else REVISIONS
            yield self.found(message, text, related=[made.seq, seq], where=place, only_in=known)


class StructuredContentMissing(_StructuredContent):
    """A tool that has an `outputSchema` gave a result without `structuredContent`.

    ## Why it matters
    Clients that know the schema refuse the result, though its text may be fine.

    ## How to fix
    Return structured content whenever the tool declares an outputSchema, or take the schema away.

    ## When it stays silent
    Errors of the tool are exempt, null counts as present. The tool must have been listed before the call.
    """

    id = "structured-content-missing"
    title = "Tool with an outputSchema returned no structuredContent"
    by_value = True
    values = ("/params/name", "/result/isError", "/result/result/isError", "/result/task", *TOOLS)

    @when(result, lacks("structuredContent"))
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is not None and call.method == "tools/call" and not self.schemas(call)[1]:
            return  # nearly all tools have no outputSchema
        outcome = self.outcome(message, call)
        if outcome is None or "structuredContent" in outcome.value:
            return
        made, where = outcome.call, outcome.where
        seq, schemas = self.schemas(made)
        if schemas:
            text = f"tool {quote(made.target)} has an outputSchema, its result no structuredContent"
            yield self.found(message, text, related=[made.seq, seq], where=f"{where}/structuredContent")
