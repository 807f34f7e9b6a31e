"""Annotations that no client can follow."""

from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.paramheaders import annotated
from mcpsniff.rules.rule import ERROR, SERVER, Call, Found, Message, Rule, quote

SHOWN = 20  # faults of one list


class XMcpHeaderInvalid(Rule):
    """A tool's inputSchema carries an `x-mcp-header` that is no valid annotation.

    ## Why it matters
    HTTP clients must drop the whole tool.

    ## How to fix
    Give each annotation a name of its own, letters, digits and dashes, on a property of type string, integer or boolean
    that is reached from the root by `properties` alone.

    ## When it stays silent
    Members of `default`, `const`, `enum` and `examples` are values, no schemas. On stdio nothing is mirrored, but the
    definition is as invalid.
    """

    title = "Tool definition carries an invalid x-mcp-header annotation"
    tier = 2
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"
    violator = SERVER
    spec = {"2026-07-28": "basic/transports/streamable-http#schema-extension"}
    methods = ("tools/list",)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        tools = message.result.get("tools") if message.kind is Kind.RESULT else None
        for index, tool in enumerate(tools if isinstance(tools, list) else ()):
            if not isinstance(tool, dict):
                continue
            name = tool.get("name")
            for annotation, why in annotated(tool.get("inputSchema")).faulty[:SHOWN]:
                where = f"/result/tools/{index}/inputSchema{annotation.where}"
                text = f'x-mcp-header {quote(annotation.value, 40)} of tool "{quote(name, 40)}" {quote(why)}'
                yield self.found(message, text, fault=f"{name} {annotation.where}", where=quote(where, 200))
