"""Tool results that say everything twice."""

from typing import Any

from mcpsniff.protocol.jsonvalue import decode
from mcpsniff.protocol.message import SERVER, Kind
from mcpsniff.rules.rule import INFO, Call, Found, Message, Rule
from mcpsniff.rules.when import has, result, when

LARGE = 4096  # bytes


class PayloadDuplicated(Rule):
    """A tool result carries the same large payload as text and as structuredContent.

    ## Why it matters
    It is paid for twice: on the wire, and often in the model's context.

    ## How to fix
    Put a short summary into the text; the text form of structured content is for clients that cannot read it.

    ## When it stays silent
    Payloads below 4 KB.
    """

    title = "Tool result carries its payload twice"
    tier = 2
    severity = {"2024-11-05": INFO}
    violator = SERVER
    spec = {"2024-11-05": "server/tools#tool-result", "2025-06-18": "server/tools#structured-content"}
    methods = ("tools/call", "tasks/result")

    @when(result, has("structuredContent"))
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if message.kind is not Kind.RESULT or message.size < 2 * LARGE:
            return
        structured = message.result.get("structuredContent")
        for index, text in _texts(message.result.get("content")) if structured is not None else ():
            size = len(text.encode("utf-8", "surrogatepass"))
            if size > LARGE and decode(text.encode("utf-8", "surrogatepass")) == structured:
                words = f"{size} bytes of text repeat structuredContent"
                yield self.found(message, words, where=f"/result/content/{index}/text")


def _texts(content: Any) -> list[tuple[int, str]]:
    """Gives the text blocks that may be JSON, by index."""
    blocks = content if isinstance(content, list) else []
    texts = [(i, block.get("text")) for i, block in enumerate(blocks) if isinstance(block, dict)]
    return [(i, text) for i, text in texts if isinstance(text, str) and text.lstrip()[:1] in ("{", "[")]
