"""Choices of a later revision."""

from mcpsniff.protocol.revisions import LEGACY
from mcpsniff.rules.rule import ERROR, WARNING, Call, Found, Message, Rule
from mcpsniff.rules.when import either, has, is_method, result, rich, when

from ._newer import SINCE, choices


class TypeNotInRevision(Rule):
    """A content block, a sampling content, an elicitation or a result is of a kind that only a later revision has.

    ## Why it matters
    These choices are closed: a client of the agreed revision cannot read the message at all.

    ## How to fix
    Send what the agreed revision has, for example a text block with a link in the place of a resource_link.

    ## When it stays silent
    Further members of known objects (title, icons, structuredContent, outputSchema …) do no harm. Where the revision
    is not known nothing is said.
    """

    title = "Content block type (or other closed choice) newer than the negotiated revision"
    tier = 2
    severity = {"2024-11-05": WARNING, "2025-06-18": ERROR}
    until = "2025-11-25"
    spec = {"2024-11-05": "basic/lifecycle#operation"}
    methods = ("tools/call", "prompts/get", "sampling/createMessage", "elicitation/create")
    yields_to = ("method-not-in-revision",)

    @when(is_method("sampling/createMessage", "elicitation/create"))
    def on_request(self, message: Message, call: Call) -> Found:
        yield from self._judge(message, call)

    @when(result, either(rich, has("task")))
    def on_answer(self, message: Message, call: Call | None) -> Found:
        yield from self._judge(message, call)

    def _judge(self, message: Message, call: Call | None) -> Found:
        for what, where in choices(message, call):
            since = SINCE[what]
            before = [revision for revision in LEGACY if revision < since]
            yield self.found(message, f"{what} came with {since}", fault=what, where=where, only_in=before)
