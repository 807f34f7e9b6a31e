"""A result does not have the shape that its revision gives it."""

from mcpsniff.protocol.revisions import REQUESTS, is_complete
from mcpsniff.protocol.schema import RESULTS, Unjudged, faults
from mcpsniff.rules.echoes import KINDS
from mcpsniff.rules.elsewhere import RESULT_PLACES
from mcpsniff.rules.rule import Call, Found, Message, Rule, quote

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
    by_value = True
    values = KINDS

    def on_answer(self, message: Message, call: Call | None) -> Found:
        result = message.raw_result
        if call is None or call.twin or not isinstance(result, dict) or message.has_error or not is_complete(result):
            return
        if isinstance(call.request.params.get("task"), dict) and isinstance(result.get("task"), dict):
            return  # a task in place of the result
        revision = message.mark.final
        try:
            found = faults(RESULTS, call.method, revision, {"result": result}, RESULT_PLACES)
        except Unjudged as why:
            yield self.unchecked(str(why))
            return
        for flaws, revisions in found.items():
            text = f"result of {call.method}: {'; '.join(quote(str(f), 200) for f in flaws[:SHOWN])}"
            yield self.found(message, text, related=[call.seq], where=flaws[0].where, only_in=revisions)
