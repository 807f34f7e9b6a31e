"""A result does not have the shape that its revision gives it."""

import re

from mcpsniff.protocol.revisions import REQUESTS, is_complete
from mcpsniff.protocol.schema import RESULTS, Unjudged, faults
from mcpsniff.rules.rule import Call, Found, Message, Rule, quote

_BLOCK = r"/result/(content/\d+|contents/\d+|messages/\d+/content|content)"
_OWN = (  # places whose defects have rules of their own
    r"/result/nextCursor$",  # next-cursor-invalid
    r"/result/structuredContent$",  # structured-content-not-object
    r"/result/tools/\d+/(inputSchema|outputSchema)(/|$)",  # tool-…-schema-invalid
    r"/result/.*/icons/\d+/(src|theme)$",  # icon-uri-unsafe
    r"/result/(?!tools/).*/annotations(/|$)",  # annotations-invalid
    r"/result/.*/mimeType$",  # content-mime-invalid
    _BLOCK + r"/resource(/|$)",  # embedded-resource-incomplete
)
_OWN_MODERN = (
    r"/result/(ttlMs|cacheScope)$",  # missing-cache-hints, cache-hint-invalid
    r"/result/resultType$",  # missing-result-type, unknown-result-type
    r"/result/_meta(/|$)",  # meta-field-invalid
    r"/result/capabilities/extensions/",  # extension-id-invalid
)
LEFT = {
    "2024-11-05": re.compile("|".join(_OWN)),
    "2026-07-28": re.compile("|".join((*_OWN, *_OWN_MODERN))),
}
SHOWN = 3  # flaws named in one finding


class ResultShapeInvalid(Rule):
    """A result lacks a required member, or a known member has the wrong type or value.

    ## Why it matters
    Typed clients refuse the whole result; loose ones show half of it.

    ## How to fix
    Build results by the schema of the negotiated revision. Frequent slips: a tool result without `content`, a
    description that is null, `isError` as a string, an elicitation answered with "reject".

    ## When it stays silent
    Members that the revision does not define are free, formats are not checked, 1.0 is an integer. Defects with a rule
    of their own (cursors, cache hints, schemas of tools, annotations, media types, embedded resources, `_meta`,
    initialize results, tasks) are said there alone. Where the revision is not known, only what is wrong in all.
    """

    title = "Result lacks a required member or has a wrong type for its method"
    spec = {"2024-11-05": "basic/index", "2026-07-28": "schema"}
    methods = tuple(name for name in REQUESTS if name != "initialize")
    yields_to = (
        "completion-too-many-values",
        "elicit-content-schema-mismatch",
        "task-legacy-surface",
        "task-result-type-wrong",
        "task-unsolicited",
        "type-not-in-revision",
    )

    def on_answer(self, message: Message, call: Call | None) -> Found:
        result = message.raw_result
        if call is None or call.twin or not isinstance(result, dict) or message.has_error or not is_complete(result):
            return
        if isinstance(call.request.params.get("task"), dict) and isinstance(result.get("task"), dict):
            return  # a task in place of the result
        revision = message.mark.revision if message.mark.settled else None
        try:
            found = faults(RESULTS, call.method, revision, {"result": result}, LEFT)
        except Unjudged as why:
            yield self.unchecked(str(why))
            return
        for flaws, revisions in found.items():
            text = f"result of {call.method}: {'; '.join(quote(str(f), 200) for f in flaws[:SHOWN])}"
            yield self.found(message, text, related=[call.seq], where=flaws[0].where, only_in=revisions)
