"""A modern result has a resultType that nothing defines."""

from typing import Any

from mcpsniff.protocol.revisions import RESULT_TYPES, TASKS_EXTENSION
from mcpsniff.rules.echoes import CLIENT_CAPABILITIES
from mcpsniff.rules.rule import INFO, SERVER, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import by_server, unfinished, when


class UnknownResultType(Rule):
    """`resultType` is neither a value of the protocol nor one that an extension declared by the client could define.

    ## Why it matters
    A client must treat a kind of result that it does not know as an error.

    ## How to fix
    Use "complete" or "input_required"; other values only where the request declares the extension that defines them.

    ## When it stays silent
    "task" is right where the request declares the tasks extension. Where it declares an extension that mcpsniff does
    not know, another value is only noted.
    """

    title = "resultType is neither a core value nor one that a declared extension defines"
    violator = SERVER
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/index#resulttype"}
    yields_to = ("task-unsolicited",)
    echoes = CLIENT_CAPABILITIES

    @when(by_server, unfinished)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        kind = message.result.get("resultType", "complete")
        if call is None or message.sender != SERVER or kind in RESULT_TYPES:
            return
        extensions = _extensions(call)
        if kind == "task" and TASKS_EXTENSION in extensions:
            return
        foreign = isinstance(kind, str) and bool(set(extensions) - {TASKS_EXTENSION})
        text = f"resultType {quote(kind)} is not defined"
        where = "/result/resultType"
        yield self.found(message, text, related=[call.seq], where=where, severity=INFO if foreign else None)


def _extensions(call: Call) -> dict[str, Any]:
    value = (call.client_capabilities or {}).get("extensions")
    return value if isinstance(value, dict) else {}
