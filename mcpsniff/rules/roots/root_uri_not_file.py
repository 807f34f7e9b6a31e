"""A root is no file:// URI."""

from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.revisions import INPUT_REQUIRED
from mcpsniff.protocol.schema import pointer
from mcpsniff.rules.rule import CLIENT, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import has, when


class RootUriNotFile(Rule):
    """The client gives a root whose URI does not begin with file://.

    ## Why it matters
    Servers take roots for folders; a bare path or another scheme is dropped or refused.

    ## How to fix
    Give `file:///home/me/project`, percent-encoded where needed; on Windows `file:///C:/…`.

    ## When it stays silent
    The scheme compares without case, a host after it is fine. Whether the folder is there is not asked.
    """

    title = "A root is not a file:// URI"
    violator = CLIENT
    until = "2025-11-25"
    spec = {"2024-11-05": "client/roots#root"}
    methods = ("roots/list",)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if message.sender == CLIENT:
            for where, uri in _strange(message.result.get("roots")):
                related = [call.seq] if call else []
                yield self.found(
                    message, f"root {quote(uri)}", related=related, where=pointer("result", "roots", where, "uri")
                )


class AnsweredRootUriNotFile(Rule):
    """In 2026-07-28 roots stand in the inputResponses of a retry."""

    id = "root-uri-not-file"
    title = RootUriNotFile.title
    violator = CLIENT
    since = "2026-07-28"
    spec = RootUriNotFile.spec
    methods = (*sorted(INPUT_REQUIRED), "tasks/update")

    @when(has("inputResponses"))
    def on_request(self, message: Message, call: Call) -> Found:
        answers = message.params.get("inputResponses")
        for key, answer in answers.items() if isinstance(answers, dict) else ():
            roots = answer.get("roots") if isinstance(answer, dict) else None
            for where, uri in _strange(roots):
                related = [call.leg.seq] if call.leg is not None else []
                place = pointer("params", "inputResponses", key, "roots", where, "uri")
                yield self.found(message, f"root {quote(uri)}", related=related, where=place)


def _strange(roots: Any) -> Iterator[tuple[int, str]]:
    for index, root in enumerate(roots if isinstance(roots, list) else ()):
        uri = root.get("uri") if isinstance(root, dict) else None
        if isinstance(uri, str) and not uri.lower().startswith("file://"):
            yield index, uri
