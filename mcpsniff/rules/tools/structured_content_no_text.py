"""structuredContent has no copy in a text block."""

import re
from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.content import tool_result
from mcpsniff.protocol.jsonvalue import decode
from mcpsniff.rules.rule import CONTEXTUAL, INFO, SERVER, WARNING, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import either, has, is_method, result, when

FENCE = re.compile(r"\s*```\w*\s*\n(.*)\n\s*```\s*", re.DOTALL)
WRAPPED = "result"  # member under which libraries put a plain return value
NO_JSON = object()


class StructuredContentNoText(Rule):
    """A tool result has `structuredContent`, and no text block holds the same JSON value.

    ## Why it matters
    Clients that do not know structured content show the text alone, and the model never sees the data.

    ## How to fix
    Add a text block with the serialised JSON of `structuredContent`.

    ## When it stays silent
    Errors of the tool are exempt; a result without any content is result-shape-invalid. White space and order of
    members do not count. `{"result": X}` is well served by text that says X, in one block or in a block for each item;
    null needs none. JSON in a code fence is a note.
    """

    title = "structuredContent comes without its JSON in a text block"
    tier = 2
    severity = {"2025-06-18": WARNING}
    violator = SERVER
    confidence = CONTEXTUAL
    since = "2025-06-18"
    spec = {"2025-06-18": "server/tools#structured-content"}
    methods = ("tools/call", "tasks/result", "tasks/get")
    yields_to = ("structured-content-not-object",)
    by_value = True
    values = ("/result/content", "/result/isError", "/result/structuredContent", "/result/result", "/result/task")

    @when(result, either(has("structuredContent"), is_method("tasks/get")))
    def on_answer(self, message: Message, call: Call | None) -> Found:
        result = tool_result(self.session, message, call)
        if result is None or "structuredContent" not in result.value or result.value.get("isError") is True:
            return
        value, content = result.value["structuredContent"], result.value.get("content")
        texts = list(_texts(content))
        if not isinstance(content, list) or _told(value, texts):
            return
        fenced = any(_json(match[1]) == value for match in map(FENCE.fullmatch, texts) if match is not None)
        said = "is in a code fence" if fenced else "differs from it" if texts else "is missing"
        text = f"tool {quote(result.call.target)}: the text beside structuredContent {said}"
        yield self.found(
            message, text, related=[result.call.seq], where=f"{result.where}/content", severity=INFO if fenced else None
        )


def _texts(content: Any) -> Iterator[str]:
    for block in content if isinstance(content, list) else ():
        text = block.get("text") if isinstance(block, dict) and block.get("type") == "text" else None
        if isinstance(text, str):
            yield text


def _told(value: Any, texts: list[str]) -> bool:
    """Whether texts say a value: one of them all of it, or each of them one of the items that a library wrapped."""
    if any(_json(text) == value for text in texts):
        return True
    if not isinstance(value, dict) or list(value) != [WRAPPED]:
        return False
    inner = value[WRAPPED]
    items = _flat(inner)
    return any(_says(text, inner) for text in texts) or (len(items) == len(texts) and all(map(_says, texts, items)))


def _flat(value: Any) -> list[Any]:
    """Gives the items of a list, those of lists inside it singly; of null none, of others the value itself."""
    out: list[Any] = []
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, list):
            stack += reversed(one)
        elif one is not None:
            out.append(one)
    return out


def _says(text: str, value: Any) -> bool:
    return bool(text == value or _json(text) == value)


def _json(text: str) -> Any:
    value = decode(text.encode("utf-8", "replace"))
    return NO_JSON if value is None and text.strip() != "null" else value
