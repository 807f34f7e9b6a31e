"""A call of a tool that does not exist gets a tool result."""

import re
from typing import Any

from mcpsniff.protocol.content import tool_result
from mcpsniff.protocol.lists import Walk
from mcpsniff.protocol.revisions import INVALID_PARAMS, METHOD_NOT_FOUND, MODERN, REVISIONS
from mcpsniff.rules.params_errors import judges_params
from mcpsniff.rules.rule import CONTEXTUAL, INFO, SERVER, WARNING, Call, Found, Message, Rule, quote

UNKNOWN = re.compile(r"\bunknown tool\b", re.IGNORECASE)


class UnknownToolNotProtocolError(Rule):
    """The client calls a tool that the server does not have, and is not answered with error -32602.

    ## Why it matters
    A client cannot tell a wrong name from a tool that failed; the model tries again.

    ## How to fix
    Answer a name that is not in the list with a JSON-RPC error, code -32602. `isError` is for tools that ran.

    ## When it stays silent
    The whole list must have been seen before the call, with no change notification since; in 2026-07-28 a result that
    says "unknown tool" is enough. A tool that is in no list and works is a note, unless the name differs in case alone.
    -32601 is right for a server that has no tools.
    """

    title = "Call of an unknown tool is not answered with error -32602"
    tier = 2
    severity = {"2024-11-05": WARNING}
    violator = SERVER
    confidence = CONTEXTUAL
    spec = {"2024-11-05": "server/tools#error-handling"}
    methods = ("tools/call",)
    by_value = True

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or call.twin or call.target is None:
            return
        walk = self.session.lists.lacks("tools/list", call.target, call.seq)
        if message.has_error:
            yield from self._error(message, call, walk) if walk is not None else ()
            return
        result, related = tool_result(self.session, message, call), [call.seq, walk.pages[-1][0] if walk else None]
        if result is None:
            return
        if result.value.get("isError") is True:
            if walk is not None or _says_unknown(result.value):
                text = f"tool {quote(call.target)} is unknown, and the answer is a tool result"
                known = REVISIONS if walk is not None else (MODERN,)
                yield self.found(message, text, related=related, only_in=known)
        elif walk is not None and not walk.has_alike(call.target):
            text = f"tool {quote(call.target)} works, but is in no list"
            yield self.found(message, text, related=related, severity=INFO, fault="hidden")

    def _error(self, message: Message, call: Call, walk: Walk) -> Found:
        empty = message.code == METHOD_NOT_FOUND and not walk.items
        if message.code != INVALID_PARAMS and not empty and judges_params(message):
            text = f"tool {quote(call.target)} is unknown, and the answer is error {message.code}"
            yield self.found(message, text, related=[call.seq, walk.pages[-1][0]])


def _says_unknown(result: dict[str, Any]) -> bool:
    content = result.get("content")
    texts = [block.get("text") for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    return any(isinstance(text, str) and UNKNOWN.search(text) for text in texts)
